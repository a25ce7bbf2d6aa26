package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which machine this replica accepts behind each id: the rules of docs/adr/0044. A link exists only
 * where both ends agree on the incarnations of both. So at any moment a replica counts at most one
 * machine for an id.
 *
 * <p>Owned by the replica's loop, except {@link #machines} and {@link #known}.
 */
final class MachineView {
  private final ReplicaConfig config;
  private final BooleanSupplier joined;

  /** What others say that they know or are, while this replica remembers nothing itself. */
  private final int[] floors;

  private final BitSet deaf = new BitSet();
  private volatile ReplacedMachines machines = ReplacedMachines.NONE;

  /**
   * @param joined whether this replica's log says that it has taken part. One that has not asks all
   *     others and votes for nothing, so it need not know the machines
   */
  MachineView(ReplicaConfig config, BooleanSupplier joined) {
    this.config = config;
    this.joined = joined;
    this.floors = new int[config.members().size()];
  }

  /** The machines that links go by: those of the state, once they are on this replica's disk. */
  ReplacedMachines machines() {
    return machines;
  }

  /** What this machine calls itself. */
  int own() {
    return config.self().incarnation();
  }

  /** The incarnation behind an id, as far as this replica knows. */
  int known(int replica) {
    int row = machines.incarnation(replica);
    return joined.getAsBoolean() ? row : Math.max(row, floors[replica]);
  }

  /** What this replica knows of all ids, for {@link PeerNote.Incarnations}; empty if nothing. */
  List<Integer> allKnown() {
    List<Integer> all =
        IntStream.range(0, config.members().size()).map(this::known).boxed().toList();
    return all.stream().allMatch(each -> each == 0) ? List.of() : all;
  }

  /** Where to reach a peer: the state's address, unless the configuration has a newer one. */
  Member address(int peer) {
    return address(config.members().get(peer), machines);
  }

  /** The member at the address that the newer of both has. */
  static Member address(Member configured, ReplacedMachines machines) {
    ReplacedMachine row = machines.of(configured.id());
    return row == null || row.incarnation() < configured.incarnation()
        ? configured
        : new Member(configured.id(), row.host(), row.port(), configured.name(), row.incarnation());
  }

  /** Without a memory: believes what a peer says of any id, until the state says more. */
  void heard(int replica, int incarnation) {
    if (replica >= 0 && replica < floors.length) {
      floors[replica] = Math.max(floors[replica], incarnation);
    }
  }

  /**
   * Why there is no link with a peer; null where there may be one.
   *
   * @param claim what the peer says that it is
   * @param knowsOfThis what the peer knows of this replica's id
   */
  @Nullable String refusal(int peer, int claim, int knowsOfThis) {
    if (knowsOfThis > own()) {
      return "it knows that " + replacedText(config.replicaId(), knowsOfThis, own());
    }
    if (knowsOfThis < own()) {
      return "it does not know yet that this machine, incarnation "
          + own()
          + ", has replaced another one as replica "
          + config.replicaId()
          + " (it knows "
          + knowsOfThis
          + "): run 'lockstep nodes replace', or wait until it has caught up";
    }
    int known = known(peer);
    if (claim < known) {
      return replacedText(peer, known, claim) + ": that machine must not be started again";
    }
    if (claim > known && joined.getAsBoolean()) {
      return "it calls itself incarnation "
          + claim
          + " of replica "
          + peer
          + ", and this replica knows of "
          + known
          + ": run 'lockstep nodes replace', or wait until this replica has caught up";
    }
    return null;
  }

  private static String replacedText(int replica, int known, int claim) {
    return "replica "
        + replica
        + " has been replaced by incarnation "
        + known
        + ", and the machine of incarnation "
        + claim
        + " takes part no more";
  }

  /** Why this replica must not run by these rows; empty if it may. */
  Optional<String> ownRefusal(ReplacedMachines rows) {
    int id = config.replicaId();
    ReplacedMachine row = rows.of(id);
    int known = row == null ? 0 : row.incarnation();
    if (row != null && known > own()) {
      return Optional.of(
          replacedText(id, known, own())
              + ". "
              + row.host()
              + ":"
              + row.port()
              + " has taken its place. Do not start this machine again under this id. If it is the new"
              + " one, write 'incarnation: "
              + known
              + "' for it into its configuration file");
    }
    if (known < own() && joined.getAsBoolean()) {
      return Optional.of(
          "this machine is configured as incarnation "
              + own()
              + " of replica "
              + id
              + ", but its directory took part as incarnation "
              + known
              + ": a machine that replaces another one starts with an empty directory. Move the"
              + " directory away and start it again, or remove 'incarnation' from the configuration"
              + " file if nothing was replaced");
    }
    return Optional.empty();
  }

  /**
   * Whether a peer's word shows that this replica has been replaced.
   *
   * @return the reason to end with; null if it has not been
   */
  @Nullable String superseded(int knowsOfThis) {
    return knowsOfThis <= own()
        ? null
        : replacedText(config.replicaId(), knowsOfThis, own())
            + ", as another replica says. Do not start this machine again under this id. If it is"
            + " the new one, write 'incarnation: "
            + knowsOfThis
            + "' for it into its configuration file";
  }

  /** Goes by these machines from now on. */
  void install(ReplacedMachines now) {
    machines = now;
  }

  /** There is no link to a peer now. What it has sent before is not heard any more. */
  void deafen(int peer) {
    deaf.set(peer);
  }

  /** Whether a message of this peer may be one of the machine before. */
  boolean deafTo(int peer) {
    return peer >= 0 && deaf.get(peer);
  }

  /** The link to a peer has begun or ended: what follows is of the present machine. */
  void linkChanged(int peer) {
    deaf.clear(peer);
  }
}
