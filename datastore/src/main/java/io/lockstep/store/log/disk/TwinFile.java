package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file that holds its content twice: each change is written and synced to the first copy
 * and then to the second. A crash tears one copy at most, so the other one still holds the new or
 * the old content. If a copy is damaged or unreadable, the content survives in the other one, and
 * the next change writes a new file elsewhere on the disk. One thread.
 */
final class TwinFile<C> implements AutoCloseable {
  /** The distance of the two copies in bytes, which bounds the content. */
  static final int PLACE_BYTES = 4096;

  private static final Logger log = LoggerFactory.getLogger(TwinFile.class);

  /**
   * The kind of content of such a file.
   *
   * @param name of the file
   * @param magic see {@link FileHeader}
   * @param change counts the changes of the content
   */
  record Kind<C>(
      String name, long magic, FileHeader.Decoder<C> decoder, ToLongFunction<C> change) {}

  private final Storage storage;
  private final String name;
  private StoredFile file;
  private C kept;

  /** Whether both copies can be read. */
  private boolean whole;

  private TwinFile(Storage storage, Kind<C> kind, StoredFile file, Copies<C> places)
      throws DefectException {
    this.storage = storage;
    this.name = kind.name;
    this.file = file;
    this.kept = places.newer(kind);
    this.whole = places.defect() == null;
  }

  /** Creates the file, durably. */
  static void create(Storage storage, String name, byte[] sealed) throws IOException {
    String temporary = name + FileNames.TEMPORARY;
    if (storage.list().contains(temporary)) { // left by a crash
      storage.delete(temporary);
    }
    try (StoredFile file = storage.create(temporary)) {
      write(file, 0, sealed);
      write(file, PLACE_BYTES, sealed);
      file.sync();
    }
    storage.rename(temporary, name);
    storage.sync();
  }

  /** Reads the file, and changes nothing. */
  static <C> C read(Storage storage, Kind<C> kind) throws IOException {
    try (StoredFile file = NamedFile.open(storage, kind.name)) {
      return Copies.of(storage, kind, file).newer(kind);
    }
  }

  /** Whether one of the two copies is damaged, unreadable or outdated. */
  static <C> boolean halfRead(Storage storage, Kind<C> kind) throws IOException {
    try (StoredFile file = NamedFile.open(storage, kind.name)) {
      Copies<C> places = Copies.of(storage, kind, file);
      return places.first == null || !places.first.equals(places.second);
    }
  }

  /** Checks the file and changes nothing; null if it is good or missing. */
  static <C> @Nullable Damage damage(Storage storage, Kind<C> kind) throws IOException {
    if (!storage.list().contains(kind.name)) {
      return null;
    }
    try {
      read(storage, kind);
      return halfRead(storage, kind)
          ? new Damage(kind.name, 0, "one of the two copies is damaged, unreadable or old")
          : null;
    } catch (DefectException defect) {
      return defect.damage();
    }
  }

  /** Opens the file and changes nothing. */
  static <C> TwinFile<C> open(Storage storage, Kind<C> kind) throws IOException {
    StoredFile file = NamedFile.open(storage, kind.name);
    try {
      Copies<C> places = Copies.of(storage, kind, file);
      TwinFile<C> opened = new TwinFile<>(storage, kind, file, places);
      DefectException defect = places.defect();
      if (defect != null) {
        log.warn(
            "{}/{}; the other copy in the file makes up for it",
            storage.directory(),
            defect.getMessage());
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * The content of the two copies; null for an unusable one, with the reason.
   *
   * @param firstDefect null if the first copy is good
   * @param secondDefect null if the second copy is good
   */
  private record Copies<C>(
      @Nullable C first,
      @Nullable C second,
      @Nullable DefectException firstDefect,
      @Nullable DefectException secondDefect) {

    static <C> Copies<C> of(Storage storage, Kind<C> kind, StoredFile file) throws IOException {
      C first = null;
      C second = null;
      DefectException firstDefect = null;
      DefectException secondDefect = null;
      try {
        first = place(storage, kind, file, 0);
      } catch (DefectException tornOrWorse) {
        firstDefect = tornOrWorse;
      }
      try {
        second = place(storage, kind, file, PLACE_BYTES);
      } catch (DefectException tornOrWorse) {
        secondDefect = tornOrWorse;
      }
      return new Copies<>(first, second, firstDefect, secondDefect);
    }

    /** The reason why one of the two copies is unusable, or null. */
    @Nullable DefectException defect() {
      return firstDefect == null ? secondDefect : firstDefect;
    }

    C newer(Kind<C> kind) throws DefectException {
      if (first == null && second == null) {
        throw lost(kind);
      }
      if (first == null || (second != null && change(kind, second) > change(kind, first))) {
        return Objects.requireNonNull(second);
      }
      return first;
    }

    /** The defect to report: an unreadable copy may be good, so it comes before a damaged one. */
    private DefectException lost(Kind<C> kind) {
      if (firstDefect instanceof UnreadableException) {
        return firstDefect;
      }
      if (secondDefect instanceof UnreadableException) {
        return secondDefect;
      }
      return new DamageException(kind.name, 0, "both copies are damaged");
    }
  }

  private static <C> long change(Kind<C> kind, C content) {
    return kind.change.applyAsLong(content);
  }

  private static <C> C place(Storage storage, Kind<C> kind, StoredFile file, long at)
      throws IOException {
    String path = storage.directory() + "/" + kind.name;
    FileHeader.Content content = FileHeader.read(file, kind.name, path, at, kind.magic);
    return FileHeader.decode(content, kind.name, kind.decoder);
  }

  C kept() {
    return kept;
  }

  /** Replaces the content. Durable on return. */
  void keep(C content, byte[] sealed) throws IOException {
    if (whole) {
      write(file, 0, sealed);
      file.sync();
      write(file, PLACE_BYTES, sealed);
      file.sync();
    } else {
      replace(sealed);
    }
    kept = content;
  }

  /** Writes all content to a new file, since a bad page may not accept a write. */
  private void replace(byte[] sealed) throws IOException {
    create(storage, name, sealed);
    StoredFile old = file;
    file = NamedFile.open(storage, name);
    whole = true;
    old.close();
    log.info("{}/{} was written anew, both copies", storage.directory(), name);
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
