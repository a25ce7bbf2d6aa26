package io.lockstep.deploy.ovs;

import io.lockstep.deploy.testbed.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A dumpcap that captures into a file until it is stopped. */
final class Dumpcap implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern DROPPED =
      Pattern.compile("received/dropped on interface .*: \\d+/(\\d+) \\(");

  private final Process process;
  private final StringBuilder said = new StringBuilder(); // guarded by this

  private Dumpcap(Process process) {
    this.process = process;
  }

  /** Begins; returns when packets are captured. */
  static Dumpcap start(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("dumpcap", "-q"));
    command.addAll(arguments);
    Dumpcap dumpcap = new Dumpcap(Shell.start(command));
    Thread reader = new Thread(dumpcap::read, "dumpcap");
    reader.setDaemon(true);
    reader.start();
    Await.until(
        "dumpcap captures", PATIENCE, () -> dumpcap.said().contains("File:"), dumpcap::said);
    return dumpcap;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (this) {
          said.append(line).append('\n');
        }
      }
    } catch (IOException ended) {
      // closed while it was read
    }
  }

  /** What it has said so far. */
  synchronized String said() {
    return said.toString();
  }

  /** Ends the capture; gives for each interface how many packets did not make it into the file. */
  List<Integer> stop(int interfaces) {
    // Not Process.destroy: it closes the stream on which the last words are to come.
    process.toHandle().destroy();
    Await.until(
        "dumpcap says of each interface how many packets it dropped",
        PATIENCE,
        () -> drops().size() == interfaces,
        this::said);
    return drops();
  }

  private List<Integer> drops() {
    List<Integer> drops = new ArrayList<>();
    Matcher dropped = DROPPED.matcher(said());
    while (dropped.find()) {
      drops.add(Integer.parseInt(dropped.group(1)));
    }
    return drops;
  }

  /** Ends the capture if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
