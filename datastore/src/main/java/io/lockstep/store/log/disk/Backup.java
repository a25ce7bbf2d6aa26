package io.lockstep.store.log.disk;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.disk.FileNames.NumberedFile;
import io.lockstep.store.log.disk.PromiseFile.Promise;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the content of a data directory into one file: the newest good snapshot and the decisions
 * after it. It changes nothing in the directory, which a running replica may use. One thread.
 */
public final class Backup {
  private static final int ATTEMPTS = 5;
  private static final int PIECE_BYTES = 1 << 20;

  /**
   * The content of a backup.
   *
   * @param source the replica it was taken from
   * @param snapshotInstance the last decision in its state, -1 where there is none
   * @param lastInstance the last decision, -1 where there is none
   * @param bytes the length of the file
   */
  public record Written(Identity source, long snapshotInstance, long lastInstance, long bytes) {}

  private final Storage from;
  private final Storage to;
  private final String name;

  private Backup(Storage from, Storage to, String name) {
    this.from = from;
    this.to = to;
    this.name = name;
  }

  /**
   * Backs a directory up.
   *
   * @param file must not exist; it appears once it is complete
   * @throws RefusedException where there is nothing to back up, the file exists, or the directory
   *     is damaged
   */
  public static Written write(Path directory, Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Path fileName = file.getFileName();
    if (parent == null || fileName == null) {
      throw new RefusedException(
          RefusedException.Reason.NOT_A_DIRECTORY, file + " is not the name of a file");
    }
    try (Storage from = FileStorage.readOnly(directory);
        Storage to = FileStorage.open(parent)) {
      return write(from, to, fileName.toString());
    }
  }

  static Written write(Storage from, Storage to, String name) throws IOException {
    if (to.list().contains(name)) {
      throw new RefusedException(
          RefusedException.Reason.NOT_EMPTY,
          to.directory() + "/" + name + " exists; name another file");
    }
    Backup backup = new Backup(from, to, name);
    for (int attempt = 1; ; attempt++) {
      try {
        return backup.attempt();
      } catch (NoSuchFileException removedMeanwhile) {
        // A running replica removes files that a new snapshot makes superfluous.
        if (attempt == ATTEMPTS) {
          throw removedMeanwhile;
        }
      } catch (DamageException damaged) {
        // Or the replica was writing there at this moment.
        if (attempt == ATTEMPTS) {
          throw new RefusedException(
              RefusedException.Reason.DAMAGED,
              from.directory() + "/" + damaged.getMessage() + "; back up another replica instead");
        }
      }
    }
  }

  private Written attempt() throws IOException {
    Listing listing = Listing.of(from);
    if (!listing.begun()) {
      throw new RefusedException(
          RefusedException.Reason.EMPTY,
          from.directory() + " holds no log; name the data directory of a replica");
    }
    Promise promise = PromiseFile.read(from);
    String temporary = name + FileNames.TEMPORARY;
    if (to.list().contains(temporary)) {
      to.delete(temporary);
    }
    Written written;
    try (SnapshotFile snapshot = newestGood(listing);
        StoredFile file = to.create(temporary)) {
      Decision at = snapshot == null ? Decision.NONE : snapshot.at();
      BackupFile.Writer writer =
          new BackupFile.Writer(
              file, new BackupFile.Header(promise.owner(), promise.regency(), at));
      writer.stateLength(snapshot == null ? 0 : snapshot.length());
      for (long offset = 0; snapshot != null && offset < snapshot.length(); ) {
        byte[] piece = snapshot.read(offset, PIECE_BYTES);
        writer.state(piece);
        offset += piece.length;
      }
      long last = decisions(listing, promise.cutAfter(), at, writer);
      written = new Written(promise.owner(), at.instance(), last, writer.finish());
    }
    to.rename(temporary, name);
    to.sync();
    return written;
  }

  private @Nullable SnapshotFile newestGood(Listing listing) throws IOException {
    for (NumberedFile file : listing.snapshots()) {
      SnapshotFile snapshot = null;
      try {
        snapshot = SnapshotFile.open(from, file.name());
        snapshot.verify();
        return snapshot;
      } catch (DamageException damaged) {
        if (snapshot != null) {
          snapshot.close();
        }
      }
    }
    return null;
  }

  private long decisions(Listing listing, long cutAfter, Decision at, BackupFile.Writer writer)
      throws IOException {
    List<NumberedFile> files = listing.segments();
    int begin = 0;
    while (begin + 1 < files.size() && files.get(begin + 1).instance() <= at.instance() + 1) {
      begin++;
    }
    if (files.isEmpty() && listing.startingOver()) {
      return at.instance();
    }
    if (files.isEmpty() || files.get(begin).instance() > at.instance() + 1) {
      throw new DamageException(
          "the log", 0, "the decisions after instance " + at.instance() + " are missing");
    }
    Copy copy = new Copy(at, writer);
    Chain hash = new Chain();
    SegmentScan.Result before = null;
    for (int i = begin; i < files.size(); i++) {
      String file = files.get(i).name();
      try (Segment segment = Segment.open(from, file)) {
        long first = segment.header().first();
        if (before != null && before.next() != first) {
          throw new DamageException(
              file, 0, "the decisions from " + before.next() + " are missing");
        }
        byte[] chain = before == null ? segment.header().chainBefore() : before.chain();
        copy.at(first - 1, chain, file);
        before =
            SegmentScan.scan(segment, chain, i == files.size() - 1, cutAfter, hash, copy::visit);
        copy.at(before.next() - 1, before.chain(), file);
      } catch (UncheckedIOException unchecked) {
        throw unchecked.getCause();
      }
    }
    return copy.last;
  }

  /** Writes the decisions after a given one, and checks that the given one is in the history. */
  private static final class Copy {
    private final Decision after;
    private final BackupFile.Writer writer;
    private long last;

    Copy(Decision after, BackupFile.Writer writer) {
      this.after = after;
      this.writer = writer;
      this.last = after.instance();
    }

    void at(long instance, byte[] chain, String file) throws DamageException {
      if (instance == after.instance() && !Arrays.equals(chain, after.chain())) {
        throw new DamageException(file, 0, "it is not the history of the snapshot");
      }
    }

    void visit(Decision decision) {
      try {
        at(decision.instance(), decision.chain(), "the log");
        if (decision.instance() > after.instance()) {
          writer.decision(decision);
          last = decision.instance();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
