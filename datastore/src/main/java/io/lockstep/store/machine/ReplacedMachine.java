package io.lockstep.store.machine;

/**
 * The machine that has taken the place of another one behind a replica's id.
 *
 * @param replica the id, from 0
 * @param incarnation which machine it is; higher than that of every machine before it
 * @param host where it listens, a name or an address of 1 to {@value #MAX_HOST_CHARS} characters
 * @param port of its clients, 1 to 65534; other replicas connect to the next one
 * @param arrived whether it has taken part, with everything up to its own row on its disk
 */
public record ReplacedMachine(
    int replica, int incarnation, String host, int port, boolean arrived) {
  /** The longest host. */
  public static final int MAX_HOST_CHARS = 253;

  /** The highest incarnation: a handshake has 23 bits for it. */
  public static final int MAX_INCARNATION = (1 << 23) - 1;

  public ReplacedMachine {
    if (replica < 0 || replica >= ReplacedMachines.MAX_REPLICAS) {
      throw new IllegalArgumentException("replica " + replica);
    }
    if (incarnation < 1 || incarnation > MAX_INCARNATION) {
      throw new IllegalArgumentException("incarnation " + incarnation);
    }
    if (!host.matches("[A-Za-z0-9._:-]{1," + MAX_HOST_CHARS + "}") || port < 1 || port > 65_534) {
      throw new IllegalArgumentException("address " + host + ":" + port);
    }
  }

  /** The same machine once it has arrived. */
  ReplacedMachine there() {
    return new ReplacedMachine(replica, incarnation, host, port, true);
  }
}
