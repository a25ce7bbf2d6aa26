/**
 * Codecs of requests, replies and stored records: one class per direction, a version byte first,
 * and a check of every length before memory is allocated. {@link ByteWriter} and {@link ByteReader}
 * are for every module that keeps records of its own in the store.
 *
 * <p>Neighbours: {@code client} encodes requests and decodes replies; {@code core} does the reverse
 * and writes snapshots.
 */
@NullMarked
package io.lockstep.store.codec;

import org.jspecify.annotations.NullMarked;
