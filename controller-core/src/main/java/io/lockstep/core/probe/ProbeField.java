package io.lockstep.core.probe;

/**
 * The match fields that are probed, in the order of the rows of table 2 of the paper on hardware
 * and software flow tables. Row k matches the fields of the rows up to k that the table takes.
 */
public enum ProbeField {
  IN_PORT("in_port", "in_port"),
  VLAN_VID("vlan_vid", "vlan_vid"),
  VLAN_PCP("vlan_pcp", "vlan_pcp"),
  ETH_SRC("eth_src", "eth_src"),
  ETH_DST("eth_dst", "eth_dst"),
  ETH_TYPE("eth_type", "eth_type"),
  IP_DSCP("ip_dscp", "ip_dscp"),
  IP_SRC("ip_src", "ipv4_src"),
  IP_DST("ip_dst", "ipv4_dst"),
  IP_PROTO("ip_proto", "ip_proto"),
  TCP_SRC("tcp_src", "l4_src"),
  TCP_DST("tcp_dst", "l4_dst");

  private final String label;
  private final String inProfiles;

  ProbeField(String label, String inProfiles) {
    this.label = label;
    this.inProfiles = inProfiles;
  }

  /** Its name in reports. */
  public String label() {
    return label;
  }

  /** Its name in switch profiles. */
  String inProfiles() {
    return inProfiles;
  }
}
