/**
 * The decision log on disk: segment files of decisions, snapshot files, and the promise file, all
 * in one directory that belongs to one replica. {@link io.lockstep.store.log.disk.Storage} is the
 * edge to the disk; everything above it also runs on a simulated disk that loses what was not
 * synced. {@code DiskLog} is what the engine uses; verifier, backup and restore read and write the
 * same files.
 */
@NullMarked
package io.lockstep.store.log.disk;

import org.jspecify.annotations.NullMarked;
