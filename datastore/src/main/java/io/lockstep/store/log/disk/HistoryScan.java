package io.lockstep.store.log.disk;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionTail;
import io.lockstep.store.log.disk.FileNames.NumberedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the history in a directory: the newest good snapshot, and the segments with the decisions
 * after it. It skips damaged and unreadable parts if the snapshot includes their decisions. It
 * changes nothing. One thread.
 */
final class HistoryScan implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HistoryScan.class);

  private final Storage storage;
  private final Identity owner;
  private final DiskLogOptions options;
  private final long cutAfter;
  private final DecisionTail tail = new DecisionTail();
  private final List<Segment> segments = new ArrayList<>();
  private final List<Decision> snapshots = new ArrayList<>();
  private final Map<String, String> passedOver = new LinkedHashMap<>();
  private final Chain hash = new Chain();
  private SegmentScan.@Nullable Result end;
  private @Nullable UnreadableException unreadable;
  private boolean salvaged;

  /**
   * @param cutAfter the decisions after this instance were truncated
   */
  HistoryScan(Storage storage, Identity owner, DiskLogOptions options, long cutAfter) {
    this.storage = storage;
    this.owner = owner;
    this.options = options;
    this.cutAfter = cutAfter;
  }

  /** The valid segments, oldest first. */
  List<Segment> segments() {
    return segments;
  }

  /** The decisions of the valid snapshots, newest first. */
  List<Decision> snapshots() {
    return snapshots;
  }

  /** The newest decisions of the segments. */
  DecisionTail tail() {
    return tail;
  }

  /**
   * The invalid files, each with the reason: the file is damaged or unreadable, or such a file, or
   * a gap, separates it from the valid ones.
   */
  Map<String, String> passedOver() {
    return passedOver;
  }

  /** A copy of its valid part replaces the first segment. */
  void replaceFirst(Segment copy) throws IOException {
    segments.set(0, copy).close();
    if (segments.size() == 1) {
      end = null; // the torn end was not copied
    }
  }

  /** The place where the last segment has to be cut off, or null. */
  SegmentScan.@Nullable Result torn() {
    return end == null || end.torn() == null ? null : end;
  }

  /**
   * Whether the first segment is defective before the snapshot's instance, so that its later part
   * has to be copied.
   */
  boolean salvaged() {
    return salvaged;
  }

  /** The first part that exists on the disk and could not be read, or null. */
  @Nullable UnreadableException unreadable() {
    return unreadable;
  }

  /** Finds the newest good snapshot, and notes defective ones; returns its decision. */
  Decision newestSnapshot(Listing listing) throws IOException {
    for (NumberedFile file : listing.snapshots()) {
      try (SnapshotFile snapshot = SnapshotFile.open(storage, file.name())) {
        owner.expect(snapshot.header().owner(), storage.directory() + "/" + file.name());
        if (snapshots.isEmpty()) {
          snapshot.verify();
        }
        snapshots.add(snapshot.at());
      } catch (DefectException defect) {
        if (snapshots.isEmpty()) {
          log.warn("{}/{}", storage.directory(), defect.getMessage());
        }
        passOver(file.name(), defect);
      }
    }
    return snapshots.isEmpty() ? Decision.NONE : snapshots.get(0);
  }

  private void passOver(String file, DefectException defect) {
    Damage damage = defect.damage();
    passedOver.put(
        file,
        damage.file().equals(file)
            ? "at offset " + damage.offset() + ": " + damage.what()
            : "it is whole, but the history has a gap after it: " + damage);
    if (unreadable == null && defect instanceof UnreadableException unread) {
      unreadable = unread;
    }
  }

  /**
   * Reads the valid segments. If one is defective, it reads those after it, if they suffice.
   *
   * @param base the newest snapshot's decision
   */
  void readSegments(Listing listing, Decision base) throws IOException {
    List<NumberedFile> files = listing.segments().stream().filter(this::counts).toList();
    int from = 0;
    // Without an older snapshot, older segments are still there.
    long needed =
        snapshots.size() < Snapshots.KEPT ? 0 : snapshots.get(snapshots.size() - 1).instance() + 1;
    while (from + 1 < files.size() && files.get(from + 1).instance() <= needed) {
      from++;
    }
    while (true) {
      int resume = from + 1;
      try {
        if (files.isEmpty() || files.get(from).instance() > base.instance() + 1) {
          throw new DamageException(
              files.isEmpty() ? "the log" : files.get(from).name(),
              0,
              "the decisions after instance " + base.instance() + " are missing");
        }
        for (int at = from; at < files.size(); at++) {
          SegmentScan.Result before = end;
          boolean gap = before != null && before.next() != files.get(at).instance();
          resume = gap ? at : at + 1;
          scan(files.get(at), at == from, at == files.size() - 1, base);
        }
        long first = files.get(from).instance();
        snapshots.removeIf(snapshot -> snapshot.instance() < first - 1);
        return;
      } catch (DefectException defect) {
        boolean more = resume < files.size() && files.get(resume).instance() <= base.instance() + 1;
        forget();
        if (!more && !salvage(files, resume - 1, base)) {
          throw defect;
        }
        List<String> needless =
            files.subList(from, resume).stream().map(NumberedFile::name).toList();
        log.warn(
            "{}/{}; the snapshot at {} stands in for {}{}",
            storage.directory(),
            defect.getMessage(),
            base.instance(),
            String.join(", ", needless),
            more ? "" : ", and what follows it there is copied");
        for (; from < resume; from++) {
          passOver(files.get(from).name(), defect);
        }
        if (!more) {
          snapshots.removeIf(snapshot -> snapshot.instance() < base.instance());
          return;
        }
      }
    }
  }

  /**
   * Reads the decisions after the snapshot from a segment that is defective before them, and from
   * the later segments.
   *
   * @return whether that segment has the decisions after the snapshot
   */
  private boolean salvage(List<NumberedFile> files, int at, Decision base) throws IOException {
    if (at < 0 || snapshots.isEmpty() || files.get(at).instance() > base.instance()) {
      return false;
    }
    NumberedFile file = files.get(at);
    Segment segment = openDefective(file);
    if (segment == null) {
      return false;
    }
    segments.add(segment);
    owner.expect(segment.header().owner(), storage.directory() + "/" + file.name());
    boolean last = at == files.size() - 1;
    end = SegmentScan.scanAfter(segment, base, last, cutAfter, hash, this::remember);
    if (end == null) {
      return false;
    }
    for (int next = at + 1; next < files.size(); next++) {
      scan(files.get(next), false, next == files.size() - 1, base);
    }
    salvaged = true;
    return true;
  }

  private @Nullable Segment openDefective(NumberedFile file) throws IOException {
    try {
      return Segment.open(storage, file.name());
    } catch (DefectException header) {
      try {
        return Segment.openWithoutHeader(storage, file, owner);
      } catch (DefectException beginning) {
        return null;
      }
    }
  }

  /**
   * Whether a segment counts: not if all of it was truncated. The first one always counts, for its
   * header.
   */
  private boolean counts(NumberedFile segment) {
    return segment.instance() - 1 <= cutAfter || segment.instance() == 0;
  }

  private void forget() throws IOException {
    for (Segment segment : segments) {
      segment.close();
    }
    segments.clear();
    tail.clear();
    end = null;
  }

  private void scan(NumberedFile file, boolean first, boolean last, Decision base)
      throws IOException {
    Segment segment = Segment.open(storage, file.name());
    segments.add(segment);
    owner.expect(segment.header().owner(), storage.directory() + "/" + file.name());
    SegmentScan.Result before = end;
    if (segment.header().first() != file.instance()
        || segment.header().generation() != file.generation()
        || (before != null && before.next() != file.instance())) {
      throw new DamageException(file.name(), 0, "it does not continue the segment before it");
    }
    byte[] chain =
        file.instance() == 0
            ? Decision.NONE.chain()
            : before == null ? segment.header().chainBefore() : before.chain();
    long known = base.instance();
    if (first && known == file.instance() - 1 && !Arrays.equals(chain, base.chain())) {
      throw new DamageException(file.name(), 0, "it does not continue the snapshot at " + known);
    }
    end = SegmentScan.scan(segment, chain, last, cutAfter, hash, this::remember);
    if (known >= file.instance() && known < segment.next()) {
      Decision here = segment.decision(known);
      if (!Arrays.equals(here.chain(), base.chain())) {
        throw new DamageException(
            file.name(), 0, "it is not the history of the snapshot at " + known);
      }
    }
  }

  private void remember(Decision decision) {
    tail.add(decision);
    while (tail.size() > 1 && tail.bytes() > options.tailBytes()) {
      tail.removeFirst();
    }
  }

  /** Closes the opened files; only if the segments are not used any more. */
  @Override
  public void close() throws IOException {
    forget();
  }
}
