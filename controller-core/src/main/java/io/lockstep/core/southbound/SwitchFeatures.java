package io.lockstep.core.southbound;

/**
 * What a switch says of itself in features and description replies.
 *
 * @param protocol for example {@code OpenFlow 1.3}
 * @param remoteAddress host and port of its end of the connection
 * @param buffers how many packets it can buffer; 0 for none
 * @param tables number of flow tables
 */
public record SwitchFeatures(
    String protocol,
    String remoteAddress,
    String manufacturer,
    String hardware,
    String software,
    String serialNumber,
    String datapath,
    long buffers,
    int tables) {
  private static final String OPENFLOW_10 = "OpenFlow 1.0";

  /**
   * Whether the switch speaks OpenFlow 1.0: it shows one table, sends packets that no entry matches
   * to the controller by itself, and knows no roles.
   */
  public boolean isOpenFlow10() {
    return protocol.equals(OPENFLOW_10);
  }
}
