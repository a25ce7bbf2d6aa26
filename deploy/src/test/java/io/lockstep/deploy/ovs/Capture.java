package io.lockstep.deploy.ovs;

import io.lockstep.deploy.testbed.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What goes over loopback to and from some TCP ports, written to a file, read by tshark. */
final class Capture implements AutoCloseable {
  /** What must be installed. */
  static final List<String> TOOLS = List.of("tshark", "dumpcap");

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern DROPPED =
      Pattern.compile("received/dropped on interface .*: \\d+/(\\d+) \\(");

  private final Path file;
  private final List<Integer> ports;
  private final Process dumpcap;
  private final StringBuilder said = new StringBuilder(); // guarded by this

  private Capture(Path file, List<Integer> ports, Process dumpcap) {
    this.file = file;
    this.ports = ports;
    this.dumpcap = dumpcap;
  }

  /** Begins; returns when packets are captured. */
  static Capture start(Path file, List<Integer> ports) {
    String filter =
        ports.stream().map(port -> "tcp port " + port).collect(Collectors.joining(" or "));
    Process process =
        Shell.start(
            List.of("dumpcap", "-q", "-i", "lo", "-B", "64", "-f", filter, "-w", file.toString()));
    Capture capture = new Capture(file, ports, process);
    Thread reader = new Thread(capture::read, "dumpcap");
    reader.setDaemon(true);
    reader.start();
    Await.until(
        "dumpcap captures", PATIENCE, () -> capture.said().contains("File:"), capture::said);
    return capture;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(dumpcap.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (this) {
          said.append(line).append('\n');
        }
      }
    } catch (IOException ended) {
      // closed while it was read
    }
  }

  private synchronized String said() {
    return said.toString();
  }

  /** Ends the capture; gives how many packets did not make it into the file. */
  int stop() {
    // Not Process.destroy: it closes the stream on which the last words are to come.
    dumpcap.toHandle().destroy();
    Matcher dropped = DROPPED.matcher("");
    Await.until(
        "dumpcap tells how many packets it dropped",
        PATIENCE,
        () -> dropped.reset(said()).find(),
        this::said);
    return Integer.parseInt(dropped.group(1));
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
    dumpcap.destroyForcibly();
  }
}
