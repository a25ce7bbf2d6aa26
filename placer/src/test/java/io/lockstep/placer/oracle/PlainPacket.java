package io.lockstep.placer.oracle;

import org.jspecify.annotations.Nullable;

/** A packet: a number for each field, and perhaps a condition beyond them. */
@SuppressWarnings("ArrayRecordComponent")
public record PlainPacket(long[] fields, @Nullable String tag) {}
