package io.lockstep.bench.overload;

import java.util.ArrayList;
import java.util.List;

/**
 * What one row measures.
 *
 * @param switches that send without pause, 1 to 256
 * @param durable whether the store keeps its state on disk
 * @param manyPorts whether packets come in by sixteen ports of a switch, or by one
 * @param limits whether the node has its default limits of packets, or none
 */
record OverloadRow(
    int switches,
    boolean durable,
    Protocol protocol,
    boolean manyPorts,
    Mode mode,
    boolean limits) {

  /** The version of OpenFlow that the switches speak. */
  enum Protocol {
    V10("1.0", 1),
    V13("1.3", 4);

    final String label;
    final int wireVersion;

    Protocol(String label, int wireVersion) {
      this.label = label;
      this.wireVersion = wireVersion;
    }
  }

  /** How the switches send. */
  enum Mode {
    /** Each has one packet-in without an answer. */
    LATENCY("latency"),
    /** Each sends as much as its socket takes. */
    THROUGHPUT("throughput");

    final String label;

    Mode(String label) {
      this.label = label;
    }
  }

  /** The rows of all these values, in their order. */
  static List<OverloadRow> all(
      List<Integer> switches,
      List<Boolean> durable,
      List<Protocol> protocols,
      List<Boolean> manyPorts,
      List<Mode> modes,
      List<Boolean> limits) {
    List<OverloadRow> rows = new ArrayList<>();
    for (int count : switches) {
      for (boolean kept : durable) {
        for (Protocol protocol : protocols) {
          for (boolean many : manyPorts) {
            for (Mode mode : modes) {
              limits.forEach(
                  limited -> rows.add(new OverloadRow(count, kept, protocol, many, mode, limited)));
            }
          }
        }
      }
    }
    return rows;
  }

  /** What the nodes' configuration says besides the usual. */
  String configuration() {
    return (durable ? "" : "state: memory\n")
        + (limits ? "" : "limits: {packetsPerPort: 0, packetsPerSwitch: 0}\n");
  }
}
