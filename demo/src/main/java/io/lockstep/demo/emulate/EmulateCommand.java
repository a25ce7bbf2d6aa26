package io.lockstep.demo.emulate;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.topology.GeneratedTopology;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.TopologyException;
import io.lockstep.dataplane.topology.TopologyFile;
import io.lockstep.deploy.cli.AddedCommand;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockstep emulate}. */
@Command(
    name = "emulate",
    description = "An emulated network of up to 1000 switches before running controllers.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "  emulate --generate random:400 --print-domains > domains.yaml",
      "  domain set --version 1 domains.yaml      the nodes of a new cluster master its switches",
      "  emulate --generate random:400 --controllers 127.0.0.1:6653,127.0.0.1:6654,127.0.0.1:6655",
      "",
      "Each switch connects to each controller, and again when it is lost. Runs until Ctrl-C, then",
      "prints a summary. Progress goes to standard error. docs/LARGE_NETWORKS.md shows the way.",
      "",
      "Exit codes: 0 ended, 1 failed or --deadline was missed, 2 wrong usage, 130 Ctrl-C."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class EmulateCommand implements AddedCommand {
  private static final int MOST_PINGS = 1000;
  private static final int MOST_SECONDS = 1_000_000;

  /** Where the network comes from. */
  static final class Source {
    @Option(
        names = "--topology",
        paramLabel = "FILE",
        description = "A file of YAML with switches, links and hosts, or a shape.")
    private @Nullable Path file;

    @Option(
        names = "--generate",
        paramLabel = "SHAPE:N[:OPTION...]",
        description =
            "N switches as fat-tree, ring-of-rings or random; options hosts=H for each switch (4),"
                + " and of random seed=S.")
    private @Nullable String generated;
  }

  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Option(
      names = "--controllers",
      split = ",",
      paramLabel = "HOST:PORT",
      description = "Where the controllers listen for switches; at most 16.")
  private List<String> controllers = List.of();

  @Option(
      names = "--print-domains",
      description =
          "Only print the domains of the network, as 'domain set' and a node's file"
              + " have them.")
  private boolean printDomains;

  @Option(
      names = "--openflow",
      paramLabel = "1.0|1.3",
      description =
          "What the switches speak: 1.3, or as a topology file has it. A switch with a profile"
              + " speaks the profile's.")
  private @Nullable String openFlow;

  @Option(
      names = "--pings",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "N new pings a second between random hosts, up to 1000, from 5 s after all switches have"
              + " a master. Most begin with an ARP request: a packet-in of each switch.")
  private int pings;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "0",
      description = "End after N seconds.")
  private int seconds;

  @Option(
      names = "--deadline",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "End with exit code 1 where not all switches are connected to all controllers after N"
              + " seconds.")
  private int deadlineSeconds;

  @Override
  public Integer call() throws OperatorException, InterruptedException {
    Topology topology = topology();
    if (printDomains) {
      try {
        System.out.print(DomainsText.of(topology));
      } catch (IllegalArgumentException e) {
        throw new OperatorException(String.valueOf(e.getMessage()));
      }
      return ExitCode.DONE;
    }
    within("--pings", pings, MOST_PINGS);
    within("--seconds", seconds, MOST_SECONDS);
    within("--deadline", deadlineSeconds, MOST_SECONDS);
    if (pings > 0 && topology.hosts().size() < 2) {
      throw usage("--pings: this network has fewer than two hosts");
    }
    List<InetSocketAddress> addresses = addresses();
    OpenFileLimit.check(topology.switches().size(), addresses.size());
    // Before anything asks for a logger: the progress says what matters of a thousand switches.
    System.setProperty("logback.configurationFile", "io/lockstep/demo/logback.xml");
    Emulation emulation =
        new Emulation(
            topology,
            addresses,
            new Emulation.Settings(pings, seconds, deadlineSeconds),
            System.err,
            Boolean.getBoolean("lockstep.terminal"));
    // Ctrl-C and SIGTERM come this way.
    Runtime.getRuntime().addShutdownHook(new Thread(emulation::end, "emulate-ending"));
    return emulation.run(System.out);
  }

  private Topology topology() throws OperatorException {
    Topology topology = source.file == null ? generated() : read(source.file);
    if (openFlow == null) {
      return topology;
    }
    return switch (openFlow) {
      case "1.0" -> topology.speaking(Protocol.OPENFLOW_10, any -> true);
      case "1.3" -> topology.speaking(Protocol.OPENFLOW_13, any -> true);
      default -> throw usage("--openflow " + openFlow + ": give 1.0 or 1.3");
    };
  }

  private Topology generated() {
    try {
      return GeneratedTopology.parse(String.valueOf(source.generated)).build();
    } catch (TopologyException e) {
      throw usage("--generate: " + e.getMessage());
    }
  }

  private static Topology read(Path file) throws OperatorException {
    try {
      return TopologyFile.read(file);
    } catch (IOException | TopologyException e) {
      throw new OperatorException(String.valueOf(e.getMessage()));
    }
  }

  private List<InetSocketAddress> addresses() {
    if (controllers.isEmpty()) {
      throw usage("give --controllers HOST:PORT[,HOST:PORT...], or --print-domains");
    }
    try {
      return ControllerAddresses.parse(controllers);
    } catch (IllegalArgumentException e) {
      throw usage("--controllers: " + e.getMessage());
    }
  }

  private void within(String option, int value, int most) {
    if (value < 0 || value > most) {
      throw usage(option + " " + value + ": give 0 to " + most);
    }
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
