package io.lockstep.store.log.disk;

import io.lockstep.store.log.Start;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest start of each replica that this one knows of, its own among them, kept twice ({@link
 * TwinFile}). A directory without the file knows of none. Thread-safe.
 */
final class StartsFile {
  private static final int MAX_REPLICAS = 64;
  private static final int START_BYTES = 4 + 8 + 8;

  private static final TwinFile.Kind<Starts> KIND =
      new TwinFile.Kind<>(FileNames.STARTS, Sealed.STARTS, Starts::decode, Starts::change);

  /**
   * The content.
   *
   * @param owner whose directory it is in
   * @param change counts the changes
   * @param byReplica at most {@link #MAX_REPLICAS}
   */
  record Starts(Identity owner, long change, Map<Integer, Start> byReplica) {
    Starts with(int replica, Start start) {
      Map<Integer, Start> all = new TreeMap<>(byReplica);
      all.put(replica, start);
      return new Starts(owner, change + 1, all);
    }

    byte[] encode() {
      int bytes = Sealed.identityBytes(owner) + 8 + 4 + byReplica.size() * START_BYTES;
      ByteBuffer body = ByteBuffer.allocate(bytes);
      Sealed.putIdentity(body, owner);
      body.putLong(change).putInt(byReplica.size());
      byReplica.forEach(
          (replica, start) -> body.putInt(replica).putLong(start.number()).putLong(start.nonce()));
      return Sealed.seal(Sealed.STARTS, body.array());
    }

    static Starts decode(ByteBuffer in) {
      Identity owner = Sealed.getIdentity(in);
      long change = in.getLong();
      int count = in.getInt();
      if (count < 0 || count > MAX_REPLICAS) {
        throw new IllegalArgumentException("starts of " + count + " replicas");
      }
      Map<Integer, Start> all = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        all.put(in.getInt(), new Start(in.getLong(), in.getLong()));
      }
      return new Starts(owner, change, all);
    }
  }

  private final Storage storage;
  private final Identity owner;
  private @Nullable Starts kept;

  private StartsFile(Storage storage, Identity owner, @Nullable Starts kept) {
    this.storage = storage;
    this.owner = owner;
    this.kept = kept;
  }

  /**
   * Reads the file where there is one, and changes nothing.
   *
   * @throws RefusedException where it is another replica's, or damaged
   */
  static StartsFile open(Storage storage, Identity owner) throws IOException {
    if (!storage.list().contains(FileNames.STARTS)) {
      return new StartsFile(storage, owner, null);
    }
    try {
      Starts found = TwinFile.read(storage, KIND);
      owner.expect(found.owner(), storage.directory() + "/" + FileNames.STARTS);
      return new StartsFile(storage, owner, found);
    } catch (DamageException damaged) {
      throw Recovery.refusal(storage, damaged.damage());
    }
  }

  /** What is wrong with the file, only looking; null where nothing is, or there is none. */
  static @Nullable Damage damage(Storage storage) throws IOException {
    if (!storage.list().contains(FileNames.STARTS)) {
      return null;
    }
    try {
      TwinFile.read(storage, KIND);
      return TwinFile.halfRead(storage, KIND)
          ? new Damage(FileNames.STARTS, 0, "one of the two copies is damaged or old")
          : null;
    } catch (DamageException damaged) {
      return damaged.damage();
    }
  }

  synchronized Start of(int replica) {
    return kept == null ? Start.NONE : kept.byReplica().getOrDefault(replica, Start.NONE);
  }

  /** Durable on return. */
  synchronized void keep(int replica, Start start) throws IOException {
    Starts before = kept;
    Starts next = (before == null ? new Starts(owner, 0, Map.of()) : before).with(replica, start);
    if (before == null) {
      TwinFile.create(storage, FileNames.STARTS, next.encode());
    } else {
      // Seldom, so the file is not kept open.
      try (TwinFile<Starts> file = TwinFile.open(storage, KIND)) {
        file.keep(next, next.encode());
      }
    }
    kept = next;
  }
}
