package io.lockstep.deploy.ovs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What goes over loopback to and from some TCP ports, written to a file, read by tshark. */
final class Capture implements AutoCloseable {
  /** What must be installed. */
  static final List<String> TOOLS = List.of("tshark", "dumpcap");

  private final Path file;
  private final List<Integer> ports;
  private final Dumpcap dumpcap;

  private Capture(Path file, List<Integer> ports, Dumpcap dumpcap) {
    this.file = file;
    this.ports = ports;
    this.dumpcap = dumpcap;
  }

  /** Begins; returns when packets are captured. */
  static Capture start(Path file, List<Integer> ports) {
    String filter =
        ports.stream().map(port -> "tcp port " + port).collect(Collectors.joining(" or "));
    List<String> arguments = List.of("-i", "lo", "-B", "64", "-f", filter, "-w", file.toString());
    return new Capture(file, ports, Dumpcap.start(arguments));
  }

  /** Ends the capture; gives how many packets did not make it into the file. */
  int stop() {
    return dumpcap.stop(1).get(0);
  }

  /** The numbers of the frames in which tshark finds a malformed message. */
  List<String> malformedFrames() {
    return tshark("_ws.malformed", "frame.number");
  }

  /** The numbers of all OpenFlow 1.3 message types in the capture. */
  Set<Integer> messageTypes() {
    Set<Integer> types = new TreeSet<>();
    for (String line : tshark("openflow_v4", "openflow_v4.type")) {
      for (String type : line.split(",", -1)) {
        types.add(Integer.parseInt(type));
      }
    }
    return types;
  }

  private List<String> tshark(String filter, String field) {
    List<String> line = new ArrayList<>(List.of("tshark", "-n", "-Q", "-r", file.toString()));
    for (int port : ports) {
      line.addAll(List.of("-d", "tcp.port==" + port + ",openflow"));
    }
    line.addAll(List.of("-Y", filter, "-T", "fields", "-e", field));
    return Shell.run(line).lines().filter(text -> text.matches("[0-9,]+")).toList();
  }

  /** Ends the capture if it still runs. */
  @Override
  public void close() {
    dumpcap.close();
  }
}
