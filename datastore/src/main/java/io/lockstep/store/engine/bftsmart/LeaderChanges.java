package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import io.lockstep.store.engine.bftsmart.PeerNote.ReportedHistory;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Extends the library's leader change. It promises a regency before the library asks for it, and
 * sends each report and each answer with the history that it is based on. If another history than
 * this replica's continues, this replica leaves the cluster.
 *
 * <p>Owned by the replica's loop.
 */
final class LeaderChanges {
  private static final BoundedLog log = BoundedLog.of(LeaderChanges.class);

  private final int self;
  private final int members;
  private final LibraryStack stack;
  private final ReportedHistories histories;
  private final ClusterMonitor.Host host;
  private final Map<Integer, LCMessage> held = new HashMap<>();
  private int settled = LibraryStack.NOT_BEGUN;

  LeaderChanges(
      int self,
      int members,
      LibraryStack stack,
      ReportedHistories histories,
      ClusterMonitor.Host host) {
    this.self = self;
    this.members = members;
    this.stack = stack;
    this.histories = histories;
    this.host = host;
  }

  /** While this replica recovers: keeps the last request of each peer for a regency. */
  void hold(LCMessage change) {
    if (change.getType() == TOMUtil.STOP) {
      held.put(change.getSender(), change);
    }
  }

  /** Returns the kept requests. This replica takes part from now on. */
  List<LCMessage> release() {
    List<LCMessage> all = new ArrayList<>(held.values());
    held.clear();
    settled = stack.installed();
    return all;
  }

  /** Drops the kept requests, and what was reported with others. */
  void forget() {
    held.clear();
    histories.forget();
  }

  /**
   * Converts a message of the library for other replicas, after the history that it rests on. None
   * if it must not leave. The library repeats some messages on its own threads.
   */
  List<SystemMessage> leaving(SystemMessage message) {
    SystemMessage last = stack.numbers().leaving(message);
    if (last == null) {
      return List.of();
    }
    PeerNote history = before(message);
    return history == null ? List.of(last) : List.of(new PeerMessage(self, history), last);
  }

  /** The history to send before a message to other replicas, or null. */
  private @Nullable ReportedHistory before(SystemMessage message) {
    if (!(message instanceof LCMessage change)) {
      return null;
    }
    if (change.getType() == TOMUtil.STOPDATA) {
      return histories.own(change.getReg());
    }
    if (change.getType() != TOMUtil.SYNC) {
      return null;
    }
    histories.answered(change.getReg());
    return histories.chosen(change.getReg());
  }

  /** Whether the library may see this message. */
  boolean admit(LCMessage change) {
    int regency = change.getReg();
    if (change.getType() == TOMUtil.STOP) {
      if (regency > stack.regency()) {
        host.promise(regency);
      }
      if (regency > stack.regency() + 1) {
        stack.skipTo(regency - 1);
      }
      return true;
    }
    if (regency < stack.regency()) {
      return false;
    }
    ReportedHistory history = histories.of(change.getSender(), regency);
    if (history == null) {
      log.warn(change.getSender(), "dropped {}: it came without its history", change);
      return false;
    }
    if (!stack.numbers().covers(history.instance() + 1)) {
      // The library's numbers in it would name other instances here.
      return false;
    }
    boolean report = change.getType() == TOMUtil.STOPDATA;
    if (report && LeaderChangeRules.leaderOf(regency, members) != self) {
      return false;
    }
    if (report ? histories.losesAsLeader(history) : histories.loses(history)) {
      host.stepBack(
          "regency "
              + regency
              + " begins with the history of replica "
              + change.getSender()
              + " up to instance "
              + history.instance()
              + ", which differs from the history of this replica");
      return false;
    }
    return true;
  }

  /** Checks a regency that has begun: steps back if it began with another history. */
  void settle() {
    int installed = stack.installed();
    if (installed == settled || installed == LibraryStack.NOT_BEGUN) {
      return;
    }
    settled = installed;
    int leader = LeaderChangeRules.leaderOf(installed, members);
    ReportedHistory base =
        leader == self ? histories.chosen(installed) : histories.of(leader, installed);
    if ((base != null && histories.loses(base)) || stack.contradicted()) {
      host.stepBack("regency " + installed + " began with another history");
    }
  }
}
