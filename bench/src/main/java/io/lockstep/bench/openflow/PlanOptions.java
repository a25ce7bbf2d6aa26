package io.lockstep.bench.openflow;

import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say which switches are played. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class PlanOptions {
  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--switches",
      paramLabel = "N",
      defaultValue = "16",
      description = "Switches to play (${DEFAULT-VALUE}).")
  private int switches;

  @Option(
      names = "--ports",
      paramLabel = "N",
      defaultValue = "4",
      description = "Ports of each switch (${DEFAULT-VALUE}).")
  private int ports;

  @Option(
      names = "--hosts",
      paramLabel = "N",
      defaultValue = "64",
      description = "Hosts behind each switch (${DEFAULT-VALUE}).")
  private int hosts;

  @Option(
      names = "--first-dpid",
      paramLabel = "DPID",
      defaultValue = "1",
      description = "Datapath id of the first switch (${DEFAULT-VALUE}).")
  private long firstDpid;

  @Option(
      names = "--ready-seconds",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "The controllers must forward to all hosts within this (${DEFAULT-VALUE}).")
  private int readySeconds;

  /** The plan. */
  public LoadPlan plan() {
    try {
      return new LoadPlan(switches, ports, hosts, firstDpid);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Deadline for learning all hosts. */
  public long readyMillis() {
    return TimeUnit.SECONDS.toMillis(readySeconds);
  }
}
