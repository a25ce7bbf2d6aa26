/**
 * The bytes of requests, replies and stored records: one class per direction, a version byte in
 * front, every length checked before anything is allocated. {@link ByteWriter} and {@link
 * ByteReader} are for every module that keeps records of its own in the store.
 *
 * <p>Neighbours: {@code client} encodes requests and decodes replies; {@code core} does the reverse
 * and writes snapshots.
 */
@NullMarked
package io.lockstep.store.codec;

import org.jspecify.annotations.NullMarked;
