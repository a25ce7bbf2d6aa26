package io.lockstep.store.log.disk;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Makes a data directory from a backup. All replicas of a cluster are restored from the same file
 * and then begin with the same history. The backup is checked as a whole before anything is
 * written. One thread.
 */
public final class Restore {
  private static final int PIECE_BYTES = 1 << 20;
  private static final long SEGMENT_BYTES = 64 << 20;

  /**
   * Says where the restored directory comes from and which decisions it holds.
   *
   * @param source the replica that the backup was taken from
   * @param snapshotInstance the last decision in its state, -1 if there is none
   * @param lastInstance the last decision, -1 if there is none
   */
  public record RestoredDirectory(Identity source, long snapshotInstance, long lastInstance) {}

  private final Storage to;
  private final Identity owner;
  private final LongSupplier salts;
  private final BackupFile.Reader backup;

  private Restore(Storage to, Identity owner, LongSupplier salts, BackupFile.Reader backup) {
    this.to = to;
    this.owner = owner;
    this.salts = salts;
    this.backup = backup;
  }

  /**
   * Restores a replica. The replica may be started afterwards; it counts as one that has taken
   * part.
   *
   * @param directory an empty one, or the name of one to create
   * @param owner the replica that will use the directory; of the cluster of the backup
   * @throws RefusedException where the directory is not empty, or the backup is damaged, of another
   *     cluster, or of a newer format
   */
  public static RestoredDirectory into(Path file, Path directory, Identity owner)
      throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Path fileName = file.getFileName();
    if (parent == null || fileName == null) {
      throw new RefusedException(
          RefusedException.Reason.NOT_A_DIRECTORY, file + " is not the name of a file");
    }
    try (Storage from = FileStorage.readOnly(parent);
        Storage to = FileStorage.open(directory)) {
      return into(from, fileName.toString(), to, owner, new SecureRandom()::nextLong);
    }
  }

  static RestoredDirectory into(
      Storage from, String name, Storage to, Identity owner, LongSupplier salts)
      throws IOException {
    if (!to.list().isEmpty()) {
      throw new RefusedException(
          RefusedException.Reason.NOT_EMPTY,
          to.directory() + " is not empty; move it away or name another directory");
    }
    String path = from.directory() + "/" + name;
    try (StoredFile file = from.open(name)) {
      BackupFile.Reader backup = new BackupFile.Reader(file, path);
      if (!backup.header().source().clusterId().equals(owner.clusterId())) {
        throw new RefusedException(
            RefusedException.Reason.OTHER_CLUSTER,
            path
                + " is a backup of cluster \""
                + backup.header().source().clusterId()
                + "\", not of \""
                + owner.clusterId()
                + "\"");
      }
      backup.verify();
      to.lock();
      return new Restore(to, owner, salts, backup).run();
    } catch (DamageException damaged) {
      throw new RefusedException(
          RefusedException.Reason.DAMAGED, damaged.getMessage() + "; take another backup");
    }
  }

  private RestoredDirectory run() throws IOException {
    Decision at = backup.header().at();
    long length = backup.stateLength();
    if (at.instance() >= 0) {
      writeSnapshot(at, length);
    }
    Decision last = writeDecisions(at);
    // The promise is written last: without it a start refuses the directory.
    PromiseFile.create(
        to,
        new PromiseFile.Promise(
            owner,
            0,
            true,
            Math.max(backup.header().regency(), last.regency()),
            PromiseFile.Promise.NOTHING_TO_CUT));
    return new RestoredDirectory(backup.header().source(), at.instance(), last.instance());
  }

  private void writeSnapshot(Decision at, long length) throws IOException {
    SnapshotWriter writer = new SnapshotWriter(to, new SnapshotHeader(owner, 0, at), 0);
    for (long done = 0; done < length; ) {
      byte[] piece = backup.state((int) Math.min(PIECE_BYTES, length - done));
      writer.write(piece, 0, piece.length);
      done += piece.length;
    }
    writer.complete();
    writer.close();
    to.rename(writer.temporary(), writer.name());
    to.sync();
  }

  private Decision writeDecisions(Decision at) throws IOException {
    Segment.Header header =
        new Segment.Header(owner, 0, at.instance() + 1, at.chain(), Segments.salt(salts));
    Chain hash = new Chain();
    Decision last = at;
    try (Segments segments =
        new Segments(to, salts, List.of(Segments.create(to, header)), SEGMENT_BYTES, 0)) {
      List<Decision> group = new ArrayList<>();
      long bytes = 0;
      Decision next;
      while ((next = backup.decision()) != null) {
        if (next.instance() != last.instance() + 1 || !hash.continues(last.chain(), next)) {
          throw new DamageException(
              "the backup", 0, "instance " + next.instance() + " does not continue the history");
        }
        group.add(next);
        last = next;
        bytes += next.value().length;
        if (bytes > PIECE_BYTES || group.size() > 1000) {
          flush(segments, group);
          bytes = 0;
        }
      }
      flush(segments, group);
      segments.mark(last.instance() + 1);
      segments.force();
    }
    return last;
  }

  private static void flush(Segments segments, List<Decision> group) throws IOException {
    if (!group.isEmpty()) {
      segments.write(group, group.get(0).instance());
      segments.force();
      group.clear();
    }
  }
}
