/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What every target defines; libFuzzer's main, or that of fuzz-driver.c, calls it. */
int LLVMFuzzerTestOneInput (const uint8_t *data,
                            size_t         size);
