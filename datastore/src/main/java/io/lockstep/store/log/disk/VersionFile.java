package io.lockstep.store.log.disk;

import io.lockstep.store.Release;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The newest version of the cluster that was in force in this directory, stored twice ({@link
 * TwinFile}). It is read before anything else, so that a release that does not know the version
 * changes nothing. There is no file as long as the version is at most {@link Release#BASELINE}.
 * Thread-safe.
 */
final class VersionFile {
  private static final TwinFile.Kind<Version> KIND =
      new TwinFile.Kind<>(FileNames.VERSION, FileHeader.VERSIONS, Version::decode, Version::number);

  /**
   * The content.
   *
   * @param owner of the directory
   * @param number of the version; it only grows, so it counts the changes, too
   */
  record Version(Identity owner, int number) {
    byte[] encode() {
      ByteBuffer body = ByteBuffer.allocate(FileHeader.identityBytes(owner) + Integer.BYTES);
      FileHeader.putIdentity(body, owner);
      body.putInt(number);
      return FileHeader.seal(FileHeader.VERSIONS, FileHeader.VERSION, body.array());
    }

    static Version decode(ByteBuffer in) {
      return new Version(FileHeader.getIdentity(in), in.getInt());
    }
  }

  private final Storage storage;
  private final Identity owner;

  /** Null if there is no file yet. */
  private @Nullable Version kept;

  private VersionFile(Storage storage, Identity owner, @Nullable Version kept) {
    this.storage = storage;
    this.owner = owner;
    this.kept = kept;
  }

  /**
   * Reads the file if there is one, and changes nothing.
   *
   * @param newest the newest version that this release knows
   * @throws RefusedException if the file has a newer one or belongs to another replica, or if both
   *     copies are damaged or cannot be read
   */
  static VersionFile open(Storage storage, Identity owner, int newest) throws IOException {
    if (!storage.list().contains(FileNames.VERSION)) {
      return new VersionFile(storage, owner, null);
    }
    String path = storage.directory() + "/" + FileNames.VERSION;
    try {
      Version found = TwinFile.read(storage, KIND);
      owner.expect(found.owner(), path);
      if (found.number() > newest) {
        throw new RefusedException(
            RefusedException.Reason.NEWER_FORMAT,
            storage.directory()
                + " is of version "
                + found.number()
                + " of the cluster, this release of Lockstep knows versions up to "
                + newest
                + ": run the release that the other nodes run, or a newer one. Nothing was changed");
      }
      return new VersionFile(storage, owner, found);
    } catch (DamageException damaged) {
      throw Recovery.refusal(storage, damaged.damage());
    } catch (UnreadableException unreadable) {
      throw Recovery.refusal(storage, unreadable);
    }
  }

  /** Checks the file and changes nothing; null if it is good or missing. */
  static @Nullable Damage damage(Storage storage) throws IOException {
    return TwinFile.damage(storage, KIND);
  }

  /** Writes both copies, even if they agree: they may not have been synced. */
  synchronized void settle() throws IOException {
    if (kept != null) {
      write(kept);
    }
  }

  /** The version; 0 where there is no file. */
  synchronized int number() {
    return kept == null ? 0 : kept.number();
  }

  /**
   * Keeps a version if it is newer than the present one and above the baseline. Durable on return.
   */
  synchronized void keep(int number) throws IOException {
    if (number <= Math.max(Release.BASELINE, number())) {
      return;
    }
    write(new Version(owner, number));
  }

  private void write(Version next) throws IOException {
    if (kept == null) {
      TwinFile.create(storage, FileNames.VERSION, next.encode());
    } else {
      try (TwinFile<Version> file = TwinFile.open(storage, KIND)) {
        file.keep(next, next.encode());
      }
    }
    kept = next;
  }
}
