package io.lockstep.demo;

import io.lockstep.demo.screen.PlainScreen;
import io.lockstep.demo.screen.Terminal;
import io.lockstep.demo.screen.TerminalCapabilities;
import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.application.ApplicationJarException;
import io.lockstep.deploy.application.ApplicationOptions;
import io.lockstep.deploy.cli.AddedCommand;
import io.lockstep.deploy.process.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code lockstep demo}. */
@Command(
    name = "demo",
    description = "Three nodes, an emulated network, and the loss of a node, live.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Needs no root. Runs until q or Ctrl-C, or with --ci until the story is told. Everything it",
      "starts ends with it. On a terminal, keys kill and start nodes, cut links, move hosts and"
          + " show",
      "flow entries; NO_COLOR takes the colours away.",
      "In a checkout, ./lockstep demo --install first installs what is missing."
    })
public final class DemoCommand implements AddedCommand {

  @Option(
      names = "--ci",
      description = "Without a terminal: check the story, end, print the result as JSON.")
  private boolean ci;

  /** What is told. */
  enum Scenario {
    ping,
    loadBalancer,
    tables;

    @Override
    public String toString() {
      return this == loadBalancer ? "load-balancer" : name();
    }
  }

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "ping",
      converter = ScenarioName.class,
      description =
          "ping: hosts ping each other while a node is lost; load-balancer: connections to a"
              + " virtual IP while a member and a node are lost; tables: heavy routes move into the"
              + " hardware of two switches (${DEFAULT-VALUE}).")
  private Scenario scenario = Scenario.ping;

  /** Reads a scenario's name. */
  static final class ScenarioName implements ITypeConverter<Scenario> {
    @Override
    public Scenario convert(String name) {
      return Stream.of(Scenario.values())
          .filter(one -> one.toString().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "there is no scenario '" + name + "'; give ping, load-balancer or tables"));
    }
  }

  @Option(
      names = "--app",
      paramLabel = "FILE.jar",
      description =
          "Also run the applications of this jar on all nodes; several times for several.")
  private List<Path> jars = List.of();

  @Option(
      names = "--app-config",
      paramLabel = "NAME.KEY=VALUE",
      description =
          "Configure an application, as 'applications: {NAME: {KEY: VALUE}}' does in a node's file;"
              + " several times for several keys. A list has commas.")
  private List<String> configured = List.of();

  /** What the nodes' files say under {@code applications}. */
  private String section = "";

  @Override
  public Integer call() throws IOException {
    try {
      section =
          ApplicationOptions.section(
              ApplicationCatalog.BUILT_IN.with(jars),
              List.of(DemoSettings.SHORT_FLOWS),
              configured);
    } catch (IllegalArgumentException e) {
      System.err.println("lockstep demo: --app-config " + e.getMessage());
      return ExitCode.USAGE;
    } catch (ApplicationJarException e) {
      System.err.println("lockstep demo: " + e.getMessage());
      return ExitCode.USAGE;
    }
    // Before anything asks for a logger.
    System.setProperty("logback.configurationFile", "io/lockstep/demo/logback.xml");
    if (scenario == Scenario.loadBalancer) {
      return balanced();
    }
    if (scenario == Scenario.tables) {
      return tables();
    }
    return !ci && Boolean.getBoolean("lockstep.terminal") ? live() : plain();
  }

  private DemoSettings settings() {
    return (ci ? DemoSettings.forCi() : DemoSettings.forTerminal()).with(jars, section);
  }

  private int live() throws IOException {
    Charset charset = Charset.forName(System.getProperty("native.encoding", "UTF-8"));
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.err), false, charset);
    Terminal terminal;
    try {
      terminal = Terminal.of(out);
    } catch (IOException noTerminal) {
      System.err.println("lockstep demo: no live screen: " + noTerminal.getMessage());
      return plain();
    }
    LiveDemo demo =
        new LiveDemo(
            settings(),
            EmulatedDemoNetwork.twoDomains(),
            terminal,
            TerminalCapabilities.of(
                charset, Objects.requireNonNullElse(System.getenv("NO_COLOR"), "")),
            out);
    // Ctrl-C and SIGTERM come this way.
    Runtime.getRuntime().addShutdownHook(new Thread(demo::end, "demo-ending"));
    return demo.run();
  }

  private int balanced() throws IOException {
    PrintStream err = System.err;
    BalancedDemo demo =
        new BalancedDemo(settings(), EmulatedDemoNetwork.twoDomains(), new PlainScreen(err));
    Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "demo-ending"));
    try {
      demo.tell();
      if (!ci) {
        demo.runOn();
      }
    } catch (DemoStage.StoryBroken broken) {
      demo.keepLogs();
      err.println("lockstep demo: " + broken.getMessage());
    }
    BalancedResult result = demo.result();
    demo.close();
    System.out.println(result.json());
    return result.pass() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private int tables() throws IOException {
    PrintStream err = System.err;
    TablesDemo demo = new TablesDemo(settings(), new TablesNetwork(), new PlainScreen(err));
    Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "demo-ending"));
    try {
      demo.tell();
      if (!ci) {
        demo.runOn();
      }
    } catch (DemoStage.StoryBroken broken) {
      demo.keepLogs();
      err.println("lockstep demo: " + broken.getMessage());
    }
    TablesResult result = demo.result();
    demo.close();
    System.out.println(result.json());
    return result.pass() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private int plain() throws IOException {
    PrintStream err = System.err;
    Demo demo = new Demo(settings(), EmulatedDemoNetwork.twoDomains(), new PlainScreen(err));
    Thread ending = new Thread(demo::close, "demo-ending");
    Runtime.getRuntime().addShutdownHook(ending);
    try {
      demo.tell();
      if (!ci) {
        demo.runOn();
      }
    } catch (DemoStage.StoryBroken broken) {
      demo.keepLogs();
      err.println("lockstep demo: " + broken.getMessage());
      if (!ci) {
        return ExitCode.FAILED;
      }
    } finally {
      if (!ci) {
        demo.close();
      }
    }
    DemoResult result = demo.result();
    demo.close();
    System.out.println(result.json());
    return result.pass() ? ExitCode.DONE : ExitCode.FAILED;
  }
}
