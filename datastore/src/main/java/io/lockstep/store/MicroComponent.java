package io.lockstep.store;

/**
 * A named procedure that runs inside the replicas, atomically, against the tables (section IV-D of
 * "A consistent and fault-tolerant data store for software defined networks"). It must be
 * deterministic: no clock, no randomness, no state but the tables, nothing that depends on identity
 * or on hash order. Every replica must run the same version of it, see {@link #since}. Called on
 * the replica's delivery thread, by a {@link Command.Call} or, where it only reads, a {@link
 * Command.Query}; it must be short.
 */
public interface MicroComponent {

  /** The name it is called by; matches {@code [a-z][a-z0-9.-]{0,63}}. */
  String name();

  /**
   * What a call is for, as a replica counts it: a component that serves several purposes may name
   * the one of this call. Not part of the state.
   *
   * @return a name like {@link #name}; one that is no such name, and an exception, count for the
   *     component
   */
  default String cause(Bytes argument) {
    return name();
  }

  /**
   * The version of the cluster from which on this component can be called ({@link Release}).
   * Several components may have one name: a call runs the one with the newest version that is not
   * above the cluster's. So a component is changed by adding another one, and the old one stays for
   * as long as a log can lead through its version. Constant.
   *
   * @return 1 or more
   */
  default int since() {
    return 1;
  }

  /**
   * Runs the procedure.
   *
   * @throws Refusal to undo everything it changed and answer {@link Reply.Rejected}; any other
   *     runtime exception does the same
   */
  Bytes call(Transaction transaction, Bytes argument) throws Refusal;

  /** A micro component's refusal; its changes are undone. */
  final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    public Refusal(String message) {
      super(message, null, false, false);
    }
  }
}
