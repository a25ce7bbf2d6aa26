package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file whose content is kept twice: each change is written and synced in the first place
 * and then in the second. A crash tears one of them at most, so the other still holds the change or
 * what was before it; and a damaged place does not take the content with it. One thread.
 */
final class TwinFile<C> implements AutoCloseable {
  /** Bytes from the first place to the second, and so the most that the content may take. */
  static final int PLACE_BYTES = 4096;

  private static final Logger log = LoggerFactory.getLogger(TwinFile.class);

  /**
   * What is kept in such a file.
   *
   * @param name of the file
   * @param magic see {@link Sealed}
   * @param change counts the changes of the content
   */
  record Kind<C>(String name, long magic, Sealed.Decoder<C> decoder, ToLongFunction<C> change) {}

  private final StoredFile file;
  private C kept;

  private TwinFile(StoredFile file, C kept) {
    this.file = file;
    this.kept = kept;
  }

  /** Makes the file, durably. */
  static void create(Storage storage, String name, byte[] sealed) throws IOException {
    String temporary = name + FileNames.TEMPORARY;
    try (StoredFile file = storage.create(temporary)) {
      write(file, 0, sealed);
      write(file, PLACE_BYTES, sealed);
      file.sync();
    }
    storage.rename(temporary, name);
    storage.sync();
  }

  /** Only looks. */
  static <C> C read(Storage storage, Kind<C> kind) throws IOException {
    try (StoredFile file = storage.open(kind.name)) {
      return newer(kind, place(storage, kind, file, 0), place(storage, kind, file, PLACE_BYTES));
    }
  }

  /** Whether one of the two places is damaged or behind. */
  static <C> boolean halfRead(Storage storage, Kind<C> kind) throws IOException {
    try (StoredFile file = storage.open(kind.name)) {
      C first = place(storage, kind, file, 0);
      return first == null || !first.equals(place(storage, kind, file, PLACE_BYTES));
    }
  }

  /** Opens the file and changes nothing. */
  static <C> TwinFile<C> open(Storage storage, Kind<C> kind) throws IOException {
    StoredFile file = storage.open(kind.name);
    try {
      C first = place(storage, kind, file, 0);
      C second = place(storage, kind, file, PLACE_BYTES);
      TwinFile<C> opened = new TwinFile<>(file, newer(kind, first, second));
      if (first == null || second == null) {
        log.warn("one of the two copies in {} was torn or damaged", kind.name);
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static <C> C newer(Kind<C> kind, @Nullable C first, @Nullable C second)
      throws DamageException {
    if (first == null && second == null) {
      throw new DamageException(kind.name, 0, "both copies are damaged");
    }
    if (first == null || (second != null && change(kind, second) > change(kind, first))) {
      return Objects.requireNonNull(second);
    }
    return first;
  }

  private static <C> long change(Kind<C> kind, C content) {
    return kind.change.applyAsLong(content);
  }

  private static <C> @Nullable C place(Storage storage, Kind<C> kind, StoredFile file, long at)
      throws IOException {
    try {
      String path = storage.directory() + "/" + kind.name;
      Sealed.Content content = Sealed.read(file, kind.name, path, at, kind.magic);
      return Sealed.decode(content, kind.name, kind.decoder);
    } catch (DamageException tornOrDamaged) {
      return null;
    }
  }

  C kept() {
    return kept;
  }

  /** Durable on return. */
  void keep(C content, byte[] sealed) throws IOException {
    write(file, 0, sealed);
    file.sync();
    write(file, PLACE_BYTES, sealed);
    file.sync();
    kept = content;
  }

  private static void write(StoredFile file, long at, byte[] sealed) throws IOException {
    if (sealed.length > PLACE_BYTES) {
      throw new IllegalArgumentException(sealed.length + " bytes in a place of " + PLACE_BYTES);
    }
    file.write(at, sealed, 0, sealed.length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
