package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import io.lockstep.store.engine.bftsmart.PeerNote.Incarnations;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.List;
import java.util.Optional;

/**
 * A change of the machines behind the ids, from the decision that brings it until this replica goes
 * by it: docs/adr/0044. From the decision on, no message of the library leaves and none counts. The
 * replica leaves, waits until the decision is on its disk, ends the links of replaced machines,
 * forgets what they said, and comes back by the rules of adr/0005.
 *
 * <p>Owned by the replica's loop, except {@link #pending}.
 */
final class MachineChange {
  private static final BoundedLog log = BoundedLog.of(MachineChange.class);

  private final ReplicaHost host;
  private final ReplicaMemory memory;
  private final MachineView view;
  private volatile boolean pending;

  MachineChange(ReplicaHost host, ReplicaMemory memory) {
    this.host = host;
    this.memory = memory;
    this.view = host.machines();
  }

  /** Whether the state names other machines than the links go by. Any thread. */
  boolean pending() {
    return pending;
  }

  /** Decisions were applied, or the state was replaced: looks whether machines have changed. */
  void look() {
    ReplacedMachines now = memory.state().machines();
    pending = !now.sameMachines(view.machines());
    if (!pending) {
      view.install(now);
    }
  }

  /**
   * A step of a replica that has left: goes by the machines of the state once all of its decisions
   * are on the disk. A late answer of a peer may have brought more than the change that was seen
   * first.
   *
   * @return whether the replica has to wait before it may come back. It also waits after this step:
   *     what a replaced machine has said is forgotten when the end of its link is handled
   */
  boolean waits(LibraryStack stack, LeaderChanges changes) {
    DecisionLog decisions = memory.log();
    if (!pending
        || host.stopped()
        || decisions.durable().instance() < decisions.last().instance()) {
      return pending;
    }
    ReplacedMachines now = memory.state().machines();
    Optional<String> refusal = view.ownRefusal(now);
    if (refusal.isPresent()) {
      host.refuse(refusal.get());
      return true;
    }
    log.info(
        host.config().replicaId(),
        "replica {} goes by the machines {}",
        host.config().replicaId(),
        now.rows());
    view.install(now);
    pending = false;
    stack.forgetMessages();
    changes.forget();
    host.machinesInstalled();
    return true;
  }

  /** Whether a message is of a machine that this replica does not count any more. */
  boolean deafTo(SystemMessage message) {
    return view.deafTo(message.getSender())
        && !(message instanceof PeerMessage peer && peer.note() instanceof PeerNote.OfLink);
  }

  /**
   * Handles notes about machines, and links.
   *
   * @return whether the note is done
   */
  boolean handle(int sender, PeerNote note) {
    if (note instanceof Incarnations heard) {
      heard(heard.known());
      return true;
    }
    if (note instanceof PeerNote.LinkUp) {
      view.linkChanged(sender);
      List<Integer> known = view.allKnown();
      if (!known.isEmpty()) {
        host.send(new int[] {sender}, new Incarnations(known));
      }
    } else if (note instanceof PeerNote.LinkDown) {
      view.linkChanged(sender);
    }
    return false;
  }

  /** A replica that remembers goes by its own state. */
  private void heard(List<Integer> known) {
    if (memory.log().joined()) {
      return;
    }
    for (int id = 0; id < known.size(); id++) {
      view.heard(id, known.get(id));
    }
    host.machinesInstalled();
  }
}
