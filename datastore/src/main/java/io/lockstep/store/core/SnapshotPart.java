package io.lockstep.store.core;

import io.lockstep.store.codec.ByteWriter;

/** A part of a snapshot, which writes itself item by item. */
interface SnapshotPart {

  /** Called before the first item of each piece: the state may have changed since the last. */
  default void resume() {}

  /** Writes the next item; returns false and writes nothing if there is none left. */
  boolean writeNext(ByteWriter out);

  /** Releases the memory of the part. Called once, at its end or before. */
  default void release() {}
}
