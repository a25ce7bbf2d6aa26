package io.lockstep.store.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The promise of a replica, stored twice ({@link TwinFile}). One thread. */
final class PromiseFile implements AutoCloseable {
  private static final TwinFile.Kind<Promise> KIND =
      new TwinFile.Kind<>(FileNames.PROMISE, FileHeader.PROMISE, Promise::decode, Promise::change);

  /**
   * The promise.
   *
   * @param owner the replica
   * @param change counts the changes
   * @param joined whether the replica has taken part
   * @param regency the highest promised
   * @param cutAfter the decisions after this instance are truncated, even if segments still hold
   *     them; {@link #NOTHING_TO_CUT} once none does
   */
  record Promise(Identity owner, long change, boolean joined, int regency, long cutAfter) {
    static final long NOTHING_TO_CUT = Long.MAX_VALUE;

    Promise with(boolean nowJoined, int nowRegency) {
      return new Promise(owner, change + 1, nowJoined, nowRegency, cutAfter);
    }

    Promise cuttingAfter(long instance) {
      return new Promise(owner, change + 1, joined, regency, instance);
    }

    byte[] encode() {
      ByteBuffer body = ByteBuffer.allocate(FileHeader.identityBytes(owner) + 21);
      FileHeader.putIdentity(body, owner);
      body.putLong(change).put((byte) (joined ? 1 : 0)).putInt(regency).putLong(cutAfter);
      return FileHeader.seal(FileHeader.PROMISE, body.array());
    }

    static Promise decode(ByteBuffer in) {
      return new Promise(
          FileHeader.getIdentity(in), in.getLong(), in.get() != 0, in.getInt(), in.getLong());
    }
  }

  private final TwinFile<Promise> file;

  private PromiseFile(TwinFile<Promise> file) {
    this.file = file;
  }

  /** Creates the file. */
  static void create(Storage storage, Promise promise) throws IOException {
    TwinFile.create(storage, FileNames.PROMISE, promise.encode());
  }

  /** Reads the file, and changes nothing. */
  static Promise read(Storage storage) throws IOException {
    return TwinFile.read(storage, KIND);
  }

  /** Whether one of the two copies is damaged or outdated. */
  static boolean halfRead(Storage storage) throws IOException {
    return TwinFile.halfRead(storage, KIND);
  }

  /** Opens the file and changes nothing. */
  static PromiseFile open(Storage storage) throws IOException {
    return new PromiseFile(TwinFile.open(storage, KIND));
  }

  Promise kept() {
    return file.kept();
  }

  /** Writes both copies, even if they agree: they may not have been synced. */
  void settle() throws IOException {
    keep(kept());
  }

  /** Replaces the promise. Durable on return. */
  void keep(Promise promise) throws IOException {
    file.keep(promise, promise.encode());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
