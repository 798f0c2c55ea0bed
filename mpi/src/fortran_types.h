/* fortran_types.h - functions of so many Fortran arguments.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_FORTRAN_TYPES_H
#define SCOPE_MPI_FORTRAN_TYPES_H

typedef void fortran_2(void *, void *);
typedef void fortran_3(void *, void *, void *);
typedef void fortran_4(void *, void *, void *, void *);
typedef void fortran_5(void *, void *, void *, void *, void *);
typedef void fortran_6(void *, void *, void *, void *, void *, void *);
typedef void fortran_7(void *, void *, void *, void *, void *, void *, void *);
typedef void fortran_8(void *, void *, void *, void *, void *, void *, void *, void *);
typedef void fortran_9(void *, void *, void *, void *, void *, void *, void *, void *, void *);
typedef void fortran_10(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *);
typedef void fortran_11(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *);
typedef void fortran_12(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *);
typedef void fortran_13(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *);
typedef void fortran_14(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *);

#endif
