package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica has promised, kept twice: each change is written and synced in the first place and
 * then in the second. A crash tears one of them at most, so the other still holds the change or
 * what was before it; and a damaged place does not take the promise with it. One thread.
 */
final class PromiseFile implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PromiseFile.class);
  private static final int PLACE_BYTES = 4096;

  /**
   * The promise.
   *
   * @param owner whose it is
   * @param change counts the changes
   * @param joined whether the replica has taken part
   * @param regency the highest promised
   * @param cutAfter the decisions after this instance are taken back, whatever of them is still in
   *     the segments; {@link #NOTHING_TO_CUT} once they are gone
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
      ByteBuffer body = ByteBuffer.allocate(Sealed.identityBytes(owner) + 21);
      Sealed.putIdentity(body, owner);
      body.putLong(change).put((byte) (joined ? 1 : 0)).putInt(regency).putLong(cutAfter);
      return Sealed.seal(Sealed.PROMISE, body.array());
    }

    static Promise decode(ByteBuffer in) {
      return new Promise(
          Sealed.getIdentity(in), in.getLong(), in.get() != 0, in.getInt(), in.getLong());
    }
  }

  private final StoredFile file;
  private Promise kept;

  private PromiseFile(StoredFile file, Promise kept) {
    this.file = file;
    this.kept = kept;
  }

  /** Makes the file. */
  static void create(Storage storage, Promise promise) throws IOException {
    String temporary = FileNames.PROMISE + FileNames.TEMPORARY;
    try (StoredFile file = storage.create(temporary)) {
      byte[] bytes = promise.encode();
      file.write(0, bytes, 0, bytes.length);
      file.write(PLACE_BYTES, bytes, 0, bytes.length);
      file.sync();
    }
    storage.rename(temporary, FileNames.PROMISE);
    storage.sync();
  }

  /** Only looks. */
  static Promise read(Storage storage) throws IOException {
    try (StoredFile file = storage.open(FileNames.PROMISE)) {
      return newer(place(storage, file, 0), place(storage, file, PLACE_BYTES));
    }
  }

  /** Whether one of the two places is damaged or behind. */
  static boolean halfRead(Storage storage) throws IOException {
    try (StoredFile file = storage.open(FileNames.PROMISE)) {
      Promise first = place(storage, file, 0);
      return first == null || !first.equals(place(storage, file, PLACE_BYTES));
    }
  }

  /** Opens the file and changes nothing. */
  static PromiseFile open(Storage storage) throws IOException {
    StoredFile file = storage.open(FileNames.PROMISE);
    try {
      Promise first = place(storage, file, 0);
      Promise second = place(storage, file, PLACE_BYTES);
      PromiseFile opened = new PromiseFile(file, newer(first, second));
      if (first == null || second == null) {
        log.warn("one of the two copies in {} was torn or damaged", FileNames.PROMISE);
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static Promise newer(@Nullable Promise first, @Nullable Promise second)
      throws DamageException {
    if (first == null && second == null) {
      throw new DamageException(FileNames.PROMISE, 0, "both copies are damaged");
    }
    if (first == null || (second != null && second.change > first.change)) {
      return Objects.requireNonNull(second);
    }
    return first;
  }

  private static @Nullable Promise place(Storage storage, StoredFile file, long at)
      throws IOException {
    try {
      String path = storage.directory() + "/" + FileNames.PROMISE;
      Sealed.Content content = Sealed.read(file, FileNames.PROMISE, path, at, Sealed.PROMISE);
      return Sealed.decode(content, FileNames.PROMISE, Promise::decode);
    } catch (DamageException tornOrDamaged) {
      return null;
    }
  }

  Promise kept() {
    return kept;
  }

  /** Puts both places right, also where they agree: they may not have been synced. */
  void settle() throws IOException {
    keep(kept);
  }

  /** Durable on return. */
  void keep(Promise promise) throws IOException {
    byte[] bytes = promise.encode();
    file.write(0, bytes, 0, bytes.length);
    file.sync();
    file.write(PLACE_BYTES, bytes, 0, bytes.length);
    file.sync();
    kept = promise;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
