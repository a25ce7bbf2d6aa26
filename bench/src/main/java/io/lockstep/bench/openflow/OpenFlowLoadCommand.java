package io.lockstep.bench.openflow;

import io.lockstep.bench.measure.WarmUpLoad.Warmth;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.result.RunOptions;
import io.lockstep.bench.runs.BenchException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code bench openflow-load}: flow set-ups per second and their latency at running controllers.
 */
@Command(
    name = "openflow-load",
    description =
        "Plays OpenFlow 1.3 switches against running controllers and reports flow "
            + "set-ups per second and their latency. --in-flight 1 is the latency of one "
            + "flow at a time.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class OpenFlowLoadCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--controllers",
      split = ",",
      required = true,
      paramLabel = "HOST:PORT",
      description = "Each switch connects to all of them.")
  private List<String> controllers;

  @Mixin private PlanOptions plan;
  @Mixin private RunOptions options;

  @Override
  public Integer call() throws BenchException, InterruptedException {
    List<InetSocketAddress> addresses = controllers.stream().map(this::address).toList();
    options.write(
        measure(
            addresses,
            plan,
            options,
            deadline -> {},
            new CpuMeter(List.of()),
            spec.commandLine().getOut()));
    return 0;
  }

  /** Waits until the controllers have agreed who masters the connected switches. */
  @FunctionalInterface
  public interface Settling {
    /**
     * Waits.
     *
     * @throws TimeoutException that says what is missing after {@code deadlineMillis}
     */
    void await(long deadlineMillis) throws InterruptedException, TimeoutException;
  }

  /**
   * Plays the switches and runs all points.
   *
   * @param settling runs once the switches are connecting, before hosts are learned
   * @param cpu of the controllers
   */
  public static List<LoadFigures> measure(
      List<InetSocketAddress> controllers,
      PlanOptions plan,
      RunOptions options,
      Settling settling,
      CpuMeter cpu,
      PrintWriter out)
      throws BenchException, InterruptedException {
    List<LoadFigures> points = new ArrayList<>();
    try (OpenFlowLoad load = OpenFlowLoad.start(plan.plan(), controllers)) {
      settling.await(plan.readyMillis());
      out.printf("hosts learned in %d ms%n", load.learn(plan.readyMillis()));
      for (int inFlight : options.inFlight()) {
        Warmth warmth =
            options
                .warmUp()
                .<TimeoutException>run(
                    seconds -> load.measure(inFlight, options.schedule(seconds), cpu).slice());
        LoadFigures point = load.measure(inFlight, options.schedule(), cpu).after(warmth);
        out.println(point.figures().line() + warmth.words());
        out.flush();
        points.add(point);
      }
    } catch (TimeoutException e) {
      throw new BenchException(String.valueOf(e.getMessage()), e);
    }
    return points;
  }

  private InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return new InetSocketAddress(text.substring(0, Math.max(colon, 0)), port);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--controllers: '" + text + "' is not HOST:PORT", e);
    }
  }
}
