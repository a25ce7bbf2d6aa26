package io.lockstep.openflow.channel.ovs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A network namespace with one interface, {@code eth0}. */
public final class OvsHost {
  private final String name;
  private final String namespace;
  private final String ip;
  private final String mac;
  private final Commands commands;
  private final Consumer<Process> spawned;

  OvsHost(
      String name,
      String namespace,
      String ip,
      String mac,
      Commands commands,
      Consumer<Process> spawned) {
    this.name = name;
    this.namespace = namespace;
    this.ip = ip;
    this.mac = mac;
    this.commands = commands;
    this.spawned = spawned;
  }

  /** The name it was added with. */
  public String name() {
    return name;
  }

  /** The namespace, and the switch's end of the link. */
  public String namespace() {
    return namespace;
  }

  /** The address without length. */
  public String ip() {
    return ip;
  }

  /** The hardware address. */
  public String mac() {
    return mac;
  }

  private List<String> inside(String... command) {
    List<String> line = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
    line.addAll(List.of(command));
    return line;
  }

  /** Runs a command in the namespace, at most 60 seconds; returns whether it ended with 0. */
  public boolean succeeds(String... command) {
    return commands.run(inside(command)).ok();
  }

  /** Runs a command in the namespace that must end with 0; returns its output. */
  public String must(String... command) {
    return commands.must(inside(command));
  }

  /** Starts a command in the namespace; it ends with the Open vSwitch instance at the latest. */
  public Process spawn(String... command) {
    Process process = commands.start(inside(command));
    spawned.accept(process);
    return process;
  }

  /** Whether a ping is answered within a number of seconds; sends one each second. */
  public boolean pings(OvsHost other, int seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    do {
      if (succeeds("ping", "-n", "-c", "1", "-W", "1", other.ip())) {
        return true;
      }
    } while (System.nanoTime() < deadline);
    return false;
  }
}
