package io.lockstep.store.log.disk;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionTail;
import io.lockstep.store.log.disk.FileNames.Numbered;
import io.lockstep.store.log.disk.RefusedException.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a directory after whatever ended the process that used it. First everything is read and
 * decided, then the directory is put right; interrupted there, it begins again. One thread.
 */
final class Recovery {

  /**
   * What is in the directory now.
   *
   * @param snapshots the snapshots' decisions, newest first
   * @param tail the newest decisions of the log
   * @param setAside damaged files that others make up for, by the names that they have now
   */
  record Recovered(
      PromiseFile promise,
      int generation,
      Segments segments,
      List<Decision> snapshots,
      DecisionTail tail,
      Decision last,
      List<String> setAside) {}

  private static final Logger log = LoggerFactory.getLogger(Recovery.class);

  private final Storage storage;
  private final Identity owner;
  private final DiskLogOptions options;
  private final StartsFile starts;
  private final DecisionTail tail = new DecisionTail();
  private final List<Segment> segments = new ArrayList<>();
  private final List<String> damagedFiles = new ArrayList<>();
  private final List<Decision> snapshots = new ArrayList<>();
  private final Chain hash = new Chain();
  private final List<String> setAside = new ArrayList<>();
  private SegmentScan.@Nullable Result end;
  private long cutAfter;

  /** The first segment, damaged before the snapshot: what is behind is copied to a new one. */
  private @Nullable Segment salvaged;

  private Recovery(Storage storage, Identity owner, DiskLogOptions options, StartsFile starts) {
    this.storage = storage;
    this.owner = owner;
    this.options = options;
    this.starts = starts;
  }

  /**
   * Recovers a directory that is locked.
   *
   * @param starts what the directory's file of them says, of which nothing was changed yet
   * @throws RefusedException where it must not be used
   */
  static Recovered run(Storage storage, Identity owner, DiskLogOptions options, StartsFile starts)
      throws IOException {
    Recovery recovery = new Recovery(storage, owner, options, starts);
    boolean done = false;
    try {
      Recovered recovered = recovery.run();
      done = true;
      return recovered;
    } catch (DamageException damaged) {
      throw refusal(storage, damaged.damage());
    } finally {
      if (!done) {
        for (Segment segment : recovery.segments) {
          segment.close();
        }
      }
    }
  }

  static RefusedException refusal(Storage storage, Damage damage) {
    return new RefusedException(
        Reason.DAMAGED,
        storage.directory()
            + "/"
            + damage
            + ". Nothing in the directory makes up for it. Move the directory away and start this"
            + " replica again: it is filled anew once all other replicas answer. If this is the"
            + " only replica, restore a backup");
  }

  private Recovered run() throws IOException {
    long free = storage.freeBytes();
    if (free < options.freeBytes()) {
      throw new RefusedException(
          Reason.NO_SPACE,
          storage.directory()
              + " has "
              + (free >> 20)
              + " MiB free and needs "
              + (options.freeBytes() >> 20)
              + " MiB; free some space (files named set-aside-* there can go) and start again");
    }
    Listing listing = Listing.of(storage);
    if (!listing.promise()) {
      begin(listing);
      listing = Listing.of(storage);
    }
    PromiseFile promise = PromiseFile.open(storage);
    boolean done = false;
    try {
      owner.expect(promise.kept().owner(), path(FileNames.PROMISE));
      cutAfter = promise.kept().cutAfter();
      Recovered recovered = read(listing, promise);
      done = true;
      return recovered;
    } finally {
      if (!done) {
        promise.close();
      }
    }
  }

  private String path(String name) {
    return storage.directory() + "/" + name;
  }

  /** A directory without a promise: new, or not to be trusted. */
  private void begin(Listing listing) throws IOException {
    if (listing.begun()) {
      throw new DamageException(FileNames.PROMISE, 0, "the file is missing");
    }
    for (String name : listing.temporary()) {
      storage.delete(name);
    }
    PromiseFile.create(
        storage, new PromiseFile.Promise(owner, 0, false, 0, PromiseFile.Promise.NOTHING_TO_CUT));
  }

  private Recovered read(Listing listing, PromiseFile promise) throws IOException {
    int generation = listing.generation();
    Decision base = newestSnapshot(listing);
    if (!listing.begun() && !promise.kept().joined()) {
      segments.add(
          Segments.create(
              storage,
              new Segment.Header(
                  owner, 0, 0, Decision.NONE.chain(), Segments.salt(options.salts()))));
    } else if (listing.startingOver()) {
      segments.add(
          Segments.create(
              storage,
              new Segment.Header(
                  owner,
                  generation,
                  base.instance() + 1,
                  base.chain(),
                  Segments.salt(options.salts()))));
    } else {
      scan(listing, base);
    }
    Decision newest = tail.last();
    Decision last = newest == null ? base : newest;
    if (last.instance() < base.instance()) {
      Segment segment = segments.get(segments.size() - 1);
      throw new DamageException(
          segment.name(),
          segment.end(),
          "the log ends at " + last.instance() + ", before the snapshot at " + base.instance());
    }
    promise.settle();
    starts.settle();
    copySalvaged(base);
    repair(listing);
    Segments opened =
        new Segments(
            storage, options.salts(), segments, options.segmentBytes(), options.fillBytes());
    // What was read may not have been synced yet; from here on it counts.
    opened.force();
    opened.mark(last.instance() + 1);
    opened.force();
    if (cutAfter != PromiseFile.Promise.NOTHING_TO_CUT) {
      promise.keep(promise.kept().cuttingAfter(PromiseFile.Promise.NOTHING_TO_CUT));
    }
    return new Recovered(promise, generation, opened, snapshots, tail, last, List.copyOf(setAside));
  }

  /** The newest good snapshot's decision; those that are damaged are noted. */
  private Decision newestSnapshot(Listing listing) throws IOException {
    for (Numbered file : listing.snapshots()) {
      try (SnapshotFile snapshot = SnapshotFile.open(storage, file.name())) {
        owner.expect(snapshot.header().owner(), path(file.name()));
        if (snapshots.isEmpty()) {
          snapshot.verify();
        }
        snapshots.add(snapshot.at());
      } catch (DamageException damaged) {
        if (snapshots.isEmpty()) {
          log.warn("{}/{}", storage.directory(), damaged.getMessage());
        }
        damagedFiles.add(file.name());
      }
    }
    return snapshots.isEmpty() ? Decision.NONE : snapshots.get(0);
  }

  /** Reads the segments that count; where one is damaged, those after it if they suffice. */
  private void scan(Listing listing, Decision base) throws IOException {
    List<Numbered> files = listing.segments().stream().filter(this::counts).toList();
    int from = 0;
    // Where there is no older snapshot to go back to, the log goes back further.
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
      } catch (DamageException damaged) {
        boolean more = resume < files.size() && files.get(resume).instance() <= base.instance() + 1;
        forget();
        if (!more && !salvage(files, resume - 1, base)) {
          throw damaged;
        }
        log.warn(
            "{}/{}; the snapshot at {} makes up for it",
            storage.directory(),
            damaged.getMessage(),
            base.instance());
        for (; from < resume; from++) {
          damagedFiles.add(files.get(from).name());
        }
        if (!more) {
          snapshots.removeIf(snapshot -> snapshot.instance() < base.instance());
          return;
        }
      }
    }
  }

  /**
   * Reads what comes after the snapshot from a segment that is damaged before that, and the
   * segments after it.
   *
   * @return whether that segment has what follows the snapshot
   */
  private boolean salvage(List<Numbered> files, int damaged, Decision base) throws IOException {
    if (damaged < 0 || snapshots.isEmpty() || files.get(damaged).instance() > base.instance()) {
      return false;
    }
    Numbered file = files.get(damaged);
    Segment segment;
    try {
      segment = Segment.open(storage, file.name());
    } catch (DamageException header) {
      return false;
    }
    segments.add(segment);
    owner.expect(segment.header().owner(), path(file.name()));
    boolean last = damaged == files.size() - 1;
    end = SegmentScan.scanAfter(segment, base, last, cutAfter, hash, this::remember);
    if (end == null) {
      return false;
    }
    for (int at = damaged + 1; at < files.size(); at++) {
      scan(files.get(at), false, at == files.size() - 1, base);
    }
    salvaged = segment;
    return true;
  }

  /** In a file of its own, so that nobody has to know the damage from now on. */
  private void copySalvaged(Decision base) throws IOException {
    Segment old = salvaged;
    if (old == null) {
      return;
    }
    Segment.Header header =
        new Segment.Header(
            owner,
            old.header().generation(),
            base.instance() + 1,
            base.chain(),
            Segments.salt(options.salts()));
    String name = FileNames.segment(header.generation(), header.first());
    segments.set(0, Segment.copy(storage, name, header, old));
    old.close();
    if (segments.size() == 1) {
      end = null; // what was torn there was not copied
    }
  }

  /** Not where all of it was taken back; the first one stays, were it only for its header. */
  private boolean counts(Numbered segment) {
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

  private void scan(Numbered file, boolean first, boolean last, Decision base) throws IOException {
    Segment segment = Segment.open(storage, file.name());
    segments.add(segment);
    owner.expect(segment.header().owner(), path(file.name()));
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

  /** All is decided; whatever does not belong there goes. */
  private void repair(Listing listing) throws IOException {
    Segment lastSegment = segments.get(segments.size() - 1);
    SegmentScan.Result read = end;
    if (read != null && read.torn() != null) {
      log.info("{}/{}; cut there", storage.directory(), read.torn());
      lastSegment.file().truncate(read.end());
    }
    List<String> kept = segments.stream().map(Segment::name).toList();
    for (Numbered file : listing.segments()) {
      if (!kept.contains(file.name()) && !damagedFiles.contains(file.name())) {
        storage.delete(file.name());
      }
    }
    for (Numbered file : listing.snapshots()) {
      boolean known =
          snapshots.stream().anyMatch(snapshot -> snapshot.instance() == file.instance());
      if (!known && !damagedFiles.contains(file.name())) {
        storage.delete(file.name());
      }
    }
    for (String name : listing.temporary()) {
      if (storage.list().contains(name)) {
        storage.delete(name);
      }
    }
    List<Numbered> replaced = listing.outdated();
    if (!damagedFiles.isEmpty() || !replaced.isEmpty()) {
      SetAside lot = SetAside.next(storage);
      for (String name : damagedFiles) {
        lot.take(name, "damaged, and made up for");
        setAside.add(lot.nameOf(name));
      }
      lot.takeGeneration(replaced);
    }
    storage.sync();
  }
}
