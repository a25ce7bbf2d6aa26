package io.lockstep.store.log.disk;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.disk.FileNames.NumberedFile;
import io.lockstep.store.log.disk.PromiseFile.Promise;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a data directory and checks every byte of its valid files. It changes nothing, and a
 * replica may use the directory meanwhile. One thread.
 */
public final class LogVerifier {
  private static final int ATTEMPTS = 4;

  /**
   * A snapshot.
   *
   * @param instance the last decision in its state
   * @param bytes the length of the state
   */
  public record SnapshotReport(String file, long instance, long bytes) {}

  /**
   * The findings.
   *
   * @param owner of the directory; null if unknown
   * @param joined whether the replica has taken part in its cluster
   * @param regency the highest promised one
   * @param firstInstance the first decision in the segments; one more than the last where there is
   *     none
   * @param lastInstance the last good decision, -1 if there is none
   * @param segments number of files with decisions
   * @param snapshots the good ones, newest first
   * @param damages all places that are not as they were written
   * @param torn an end of the log that was never synced: the next start cuts it off, or a running
   *     replica is writing it. It is no damage
   * @param setAside names of the files that were set aside
   */
  public record Report(
      @Nullable Identity owner,
      boolean joined,
      int regency,
      long firstInstance,
      long lastInstance,
      int segments,
      List<SnapshotReport> snapshots,
      List<Damage> damages,
      @Nullable Damage torn,
      List<String> setAside) {
    public Report {
      snapshots = List.copyOf(snapshots);
      damages = List.copyOf(damages);
      setAside = List.copyOf(setAside);
    }

    /** Whether nothing is damaged. */
    public boolean good() {
      return damages.isEmpty();
    }
  }

  private final Storage storage;
  private final List<Damage> damages = new ArrayList<>();
  private final List<SnapshotReport> snapshots = new ArrayList<>();
  private @Nullable Promise promise;
  private @Nullable Damage torn;
  private long first;
  private long last = -1;

  private LogVerifier(Storage storage) {
    this.storage = storage;
  }

  /**
   * Verifies a directory.
   *
   * @throws RefusedException if it is no directory, holds no log, or has a newer format
   */
  public static Report verify(Path directory) throws IOException {
    try (Storage storage = FileStorage.readOnly(directory)) {
      return verify(storage);
    }
  }

  /** The same; reads files again that a running replica changes meanwhile. */
  static Report verify(Storage storage) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        Report report = new LogVerifier(storage).run();
        if (report.good() || attempt == ATTEMPTS) {
          return report;
        }
      } catch (NoSuchFileException removedMeanwhile) {
        if (attempt == ATTEMPTS) {
          throw removedMeanwhile;
        }
      }
    }
  }

  private Report run() throws IOException {
    Listing listing = Listing.of(storage);
    if (!listing.promise() && !listing.begun()) {
      throw new RefusedException(
          RefusedException.Reason.EMPTY,
          storage.directory() + " holds no log; name the data directory of a replica");
    }
    Promise kept = readPromise();
    promise = kept;
    Damage starts = StartsFile.damage(storage);
    if (starts != null) {
      damages.add(starts);
    }
    Damage version = VersionFile.damage(storage);
    if (version != null) {
      damages.add(version);
    }
    for (NumberedFile file : listing.snapshots()) {
      readSnapshot(file);
    }
    readSegments(listing, kept == null ? Promise.NOTHING_TO_CUT : kept.cutAfter());
    if (!snapshots.isEmpty()) {
      last = Math.max(last, snapshots.get(0).instance());
    }
    return new Report(
        kept == null ? null : kept.owner(),
        kept != null && kept.joined(),
        kept == null ? 0 : kept.regency(),
        first,
        last,
        listing.segments().size(),
        snapshots,
        damages,
        torn,
        listing.setAside());
  }

  private @Nullable Promise readPromise() throws IOException {
    try {
      if (PromiseFile.halfRead(storage)) {
        damages.add(
            new Damage(
                FileNames.PROMISE, 0, "one of the two copies is damaged, unreadable or old"));
      }
      return PromiseFile.read(storage);
    } catch (NoSuchFileException missing) {
      damages.add(new Damage(FileNames.PROMISE, 0, "the file is missing"));
    } catch (DefectException defect) {
      damages.add(defect.damage());
    }
    return null;
  }

  private boolean foreign(Identity owner, String file) {
    Promise kept = promise;
    if (kept == null || kept.owner().equals(owner)) {
      return false;
    }
    damages.add(new Damage(file, 0, "it belongs to " + owner + ", not to " + kept.owner()));
    return true;
  }

  private void readSnapshot(NumberedFile file) throws IOException {
    try (SnapshotFile snapshot = SnapshotFile.open(storage, file.name())) {
      snapshot.verify();
      if (!foreign(snapshot.header().owner(), file.name())) {
        snapshots.add(new SnapshotReport(file.name(), file.instance(), snapshot.length()));
      }
    } catch (DefectException defect) {
      damages.add(defect.damage());
    }
  }

  private void readSegments(Listing listing, long cutAfter) throws IOException {
    List<NumberedFile> files = listing.segments();
    Chain hash = new Chain();
    SegmentScan.Result before = null;
    if (files.isEmpty()) {
      if (!listing.startingOver()) {
        damages.add(new Damage("the log", 0, "there is no segment"));
      }
      return;
    }
    first = files.get(0).instance();
    for (int i = 0; i < files.size(); i++) {
      NumberedFile file = files.get(i);
      try (Segment segment = Segment.open(storage, file.name())) {
        foreign(segment.header().owner(), file.name());
        if (before != null && before.next() != file.instance()) {
          damages.add(
              new Damage(file.name(), 0, "the decisions from " + before.next() + " are missing"));
          before = null;
        }
        byte[] chain = before == null ? segment.header().chainBefore() : before.chain();
        boolean end = i == files.size() - 1;
        before = SegmentScan.scan(segment, chain, end, cutAfter, hash, decision -> {});
        torn = before.torn();
        last = before.next() - 1;
      } catch (DefectException defect) {
        damages.add(defect.damage());
        before = null;
      }
    }
  }
}
