// The functions of Linux's C library that work-arounds in this folder call.

import { dlopen, FFIType } from 'bun:ffi';

const { i32, i64, ptr, u32 } = FFIType;
const FUNCTIONS = {
  shutdown: { args: [i32, i32], returns: i32 },
  getsockopt: { args: [i32, i32, i32, ptr, ptr], returns: i32 },
  setsockopt: { args: [i32, i32, i32, ptr, u32], returns: i32 },
  syscall: { args: [i64, i32, ptr, u32], returns: i64 },
} as const;

/** Opened once per thread, because each opening compiles code that is never freed. */
let opened: ReturnType<typeof open> | undefined;

/** The functions; null if the system is not Linux or has another C library. */
export function cLibrary(): ReturnType<typeof open> {
  if (opened === undefined) opened = open();
  return opened;
}

function open() {
  if (process.platform !== 'linux') return null;
  try {
    return dlopen('libc.so.6', FUNCTIONS).symbols;
  } catch {
    return null;
  }
}
