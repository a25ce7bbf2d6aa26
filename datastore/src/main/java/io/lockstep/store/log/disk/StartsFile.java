package io.lockstep.store.log.disk;

import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The starts of this replica, and the newest known start of each peer, stored twice ({@link
 * TwinFile}). Without the file no start is known. Thread-safe.
 */
final class StartsFile {
  private static final int MAX_REPLICAS = 64;
  private static final int PEER_BYTES = 4 + 8 + 8;
  private static final int OWN_BYTES = 8 + 8 + 8 + 4 + 8;

  private static final TwinFile.Kind<Starts> KIND =
      new TwinFile.Kind<>(FileNames.STARTS, FileHeader.STARTS, Starts::decode, Starts::change);

  /**
   * The content.
   *
   * @param owner of the directory
   * @param change counts the changes
   * @param own the owner's starts, oldest first, at most {@link OwnStart#MOST_KEPT}
   * @param byPeer at most {@link #MAX_REPLICAS}
   */
  record Starts(Identity owner, long change, List<OwnStart> own, Map<Integer, Start> byPeer) {
    Starts {
      if (own.size() > OwnStart.MOST_KEPT || byPeer.size() > MAX_REPLICAS) {
        throw new IllegalArgumentException(
            "starts: " + own.size() + " of its own, and of " + byPeer.size() + " peers");
      }
    }

    Starts with(int peer, Start start) {
      Map<Integer, Start> all = new TreeMap<>(byPeer);
      all.put(peer, start);
      return new Starts(owner, change + 1, own, all);
    }

    Starts withOwn(List<OwnStart> starts) {
      return new Starts(owner, change + 1, List.copyOf(starts), byPeer);
    }

    byte[] encode() {
      int counts = 8 + 4 + 4;
      int starts = own.size() * OWN_BYTES + byPeer.size() * PEER_BYTES;
      ByteBuffer body = ByteBuffer.allocate(FileHeader.identityBytes(owner) + counts + starts);
      FileHeader.putIdentity(body, owner);
      body.putLong(change).putInt(own.size());
      for (OwnStart one : own) {
        put(one.start(), body);
        Progress found = one.found();
        body.putLong(found.changes()).putInt(found.generation()).putLong(found.durable());
      }
      body.putInt(byPeer.size());
      byPeer.forEach((peer, start) -> put(start, body.putInt(peer)));
      return FileHeader.seal(FileHeader.STARTS, body.array());
    }

    private static void put(Start start, ByteBuffer body) {
      body.putLong(start.number()).putLong(start.nonce());
    }

    static Starts decode(ByteBuffer in) {
      Identity owner = FileHeader.getIdentity(in);
      long change = in.getLong();
      List<OwnStart> own = new ArrayList<>();
      for (int left = count(in, OwnStart.MOST_KEPT); left > 0; left--) {
        Start start = new Start(in.getLong(), in.getLong());
        own.add(new OwnStart(start, new Progress(in.getLong(), in.getInt(), in.getLong())));
      }
      Map<Integer, Start> byPeer = new TreeMap<>();
      for (int left = count(in, MAX_REPLICAS); left > 0; left--) {
        byPeer.put(in.getInt(), new Start(in.getLong(), in.getLong()));
      }
      return new Starts(owner, change, List.copyOf(own), byPeer);
    }

    private static int count(ByteBuffer in, int most) {
      int count = in.getInt();
      if (count < 0 || count > most) {
        throw new IllegalArgumentException(count + " starts where at most " + most + " can be");
      }
      return count;
    }
  }

  private final Storage storage;
  private final Identity owner;

  /** Null if there is no file yet. */
  private @Nullable Starts kept;

  private StartsFile(Storage storage, Identity owner, @Nullable Starts kept) {
    this.storage = storage;
    this.owner = owner;
    this.kept = kept;
  }

  /**
   * Reads the file if there is one, and changes nothing.
   *
   * @throws RefusedException if it belongs to another replica, or if both copies are damaged or
   *     cannot be read
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

  /** The newest start of a peer. */
  synchronized Start of(int peer) {
    return content().byPeer().getOrDefault(peer, Start.NONE);
  }

  /** The owner's starts, oldest first. */
  synchronized List<OwnStart> own() {
    return content().own();
  }

  /** Durable on return. */
  synchronized void keep(int peer, Start start) throws IOException {
    write(content().with(peer, start));
  }

  /** Durable on return. */
  synchronized void keepOwn(List<OwnStart> starts) throws IOException {
    write(content().withOwn(starts));
  }

  private Starts content() {
    return kept == null ? new Starts(owner, 0, List.of(), Map.of()) : kept;
  }

  private void write(Starts next) throws IOException {
    if (kept == null) {
      TwinFile.create(storage, FileNames.STARTS, next.encode());
    } else {
      // Writes are rare, so the file is not kept open.
      try (TwinFile<Starts> file = TwinFile.open(storage, KIND)) {
        file.keep(next, next.encode());
      }
    }
    kept = next;
  }
}
