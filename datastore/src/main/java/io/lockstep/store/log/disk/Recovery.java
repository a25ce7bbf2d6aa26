package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionTail;
import io.lockstep.store.log.disk.FileNames.NumberedFile;
import io.lockstep.store.log.disk.RefusedException.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers a directory, however the process that used it ended. It first reads everything and makes
 * all decisions ({@link HistoryScan}), and then repairs the directory. If it is interrupted there,
 * the next start begins again. One thread.
 */
final class Recovery {

  /**
   * The content of the recovered directory.
   *
   * @param snapshots the snapshots' decisions, newest first
   * @param tail the newest decisions of the log
   * @param setAside the present names of the files that were set aside: damaged ones whose content
   *     other files hold, and whole ones before these
   */
  record RecoveredDirectory(
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
  private final List<String> setAside = new ArrayList<>();

  private Recovery(Storage storage, Identity owner, DiskLogOptions options, StartsFile starts) {
    this.storage = storage;
    this.owner = owner;
    this.options = options;
    this.starts = starts;
  }

  /**
   * Recovers a directory that is locked.
   *
   * @param starts the file of starts in the directory, which was not changed yet
   * @throws RefusedException if it must not be used
   */
  static RecoveredDirectory run(
      Storage storage, Identity owner, DiskLogOptions options, StartsFile starts)
      throws IOException {
    try {
      return new Recovery(storage, owner, options, starts).run();
    } catch (DamageException damaged) {
      throw refusal(storage, damaged.damage());
    } catch (UnreadableException unreadable) {
      throw refusal(storage, unreadable);
    }
  }

  static RefusedException refusal(Storage storage, UnreadableException unreadable) {
    RefusedException refused =
        new RefusedException(
            Reason.UNREADABLE,
            storage.directory()
                + "/"
                + unreadable.damage()
                + ". Nothing in the directory makes up for it. See to the disk. If it never can"
                + " be read again, move the directory away and start this replica again: it is"
                + " filled anew once all other replicas answer");
    refused.initCause(unreadable);
    return refused;
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

  private RecoveredDirectory run() throws IOException {
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
      RecoveredDirectory recovered = read(listing, promise);
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

  /** Decides on a directory without a promise: it is new, or refused. */
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

  private RecoveredDirectory read(Listing listing, PromiseFile promise) throws IOException {
    HistoryScan history = new HistoryScan(storage, owner, options, promise.kept().cutAfter());
    boolean done = false;
    try {
      RecoveredDirectory recovered = read(listing, promise, history);
      done = true;
      return recovered;
    } catch (DamageException damaged) {
      UnreadableException unreadable = history.unreadable();
      if (unreadable != null) { // if it could be read, the damage might not matter
        unreadable.addSuppressed(damaged);
        throw unreadable;
      }
      throw damaged;
    } finally {
      if (!done) {
        history.close();
      }
    }
  }

  private RecoveredDirectory read(Listing listing, PromiseFile promise, HistoryScan history)
      throws IOException {
    int generation = listing.generation();
    List<Segment> segments = history.segments();
    Decision base = history.newestSnapshot(listing);
    if (!listing.begun() && !promise.kept().joined()) {
      segments.add(Segments.create(storage, headerAfter(Decision.NONE, 0)));
    } else if (listing.startingOver()) {
      segments.add(Segments.create(storage, headerAfter(base, generation)));
    } else {
      history.readSegments(listing, base);
    }
    Decision newest = history.tail().last();
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
    if (history.salvaged()) {
      copyFirst(history, base);
    }
    repair(listing, history);
    Segments opened =
        new Segments(
            storage, options.salts(), segments, options.segmentBytes(), options.fillBytes());
    // The decisions that were read may not have been synced yet. From here on they count, so they
    // are synced.
    opened.force();
    opened.mark(last.instance() + 1);
    opened.force();
    if (promise.kept().cutAfter() != PromiseFile.Promise.NOTHING_TO_CUT) {
      promise.keep(promise.kept().cuttingAfter(PromiseFile.Promise.NOTHING_TO_CUT));
    }
    return new RecoveredDirectory(
        promise,
        generation,
        opened,
        history.snapshots(),
        history.tail(),
        last,
        List.copyOf(setAside));
  }

  private Segment.Header headerAfter(Decision before, int generation) {
    return new Segment.Header(
        owner, generation, before.instance() + 1, before.chain(), Segments.salt(options.salts()));
  }

  /** Copies them into a file of their own, so that later starts need not know of the damage. */
  private void copyFirst(HistoryScan history, Decision base) throws IOException {
    Segment old = history.segments().get(0);
    Segment.Header header = headerAfter(base, old.header().generation());
    String name = FileNames.segment(header.generation(), header.first());
    history.replaceFirst(Segment.copy(storage, name, header, old));
  }

  /** Repairs the directory: removes or sets aside every file that does not belong there. */
  private void repair(Listing listing, HistoryScan history) throws IOException {
    List<Segment> segments = history.segments();
    Map<String, String> passedOver = history.passedOver();
    SegmentScan.Result torn = history.torn();
    if (torn != null) {
      log.info("{}/{}; cuts the log off there", storage.directory(), torn.torn());
      segments.get(segments.size() - 1).file().truncate(torn.end());
    }
    List<String> kept = segments.stream().map(Segment::name).toList();
    for (NumberedFile file : listing.segments()) {
      if (!kept.contains(file.name()) && !passedOver.containsKey(file.name())) {
        storage.delete(file.name());
      }
    }
    for (NumberedFile file : listing.snapshots()) {
      boolean known =
          history.snapshots().stream().anyMatch(snapshot -> snapshot.instance() == file.instance());
      if (!known && !passedOver.containsKey(file.name())) {
        storage.delete(file.name());
      }
    }
    for (String name : listing.temporary()) {
      if (storage.list().contains(name)) {
        storage.delete(name);
      }
    }
    List<NumberedFile> replaced = listing.outdated();
    if (!passedOver.isEmpty() || !replaced.isEmpty()) {
      SetAside lot = SetAside.next(storage);
      for (Map.Entry<String, String> one : passedOver.entrySet()) {
        lot.take(one.getKey(), one.getValue());
        setAside.add(lot.nameOf(one.getKey()));
      }
      lot.takeGeneration(replaced);
    }
    storage.sync();
  }
}
