/* Checks that print the failed expression. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

/* The two arguments that pass a literal and its length. */
#define TEXT(literal) (literal), (sizeof(literal) - 1)

#endif
