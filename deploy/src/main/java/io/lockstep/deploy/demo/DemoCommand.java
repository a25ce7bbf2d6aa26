package io.lockstep.deploy.demo;

import io.lockstep.deploy.cli.ExitCode;
import io.lockstep.deploy.cli.OperatorException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lockstep demo}. */
@Command(
    name = "demo",
    description = "Three nodes, an emulated network, and the loss of a node, live.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Needs no root. Runs until Ctrl-C, or with --ci until the story is told. Everything it starts",
      "ends with it. With ./lockstep demo --install the script first installs what is missing."
    })
public final class DemoCommand implements Callable<Integer> {

  @Option(
      names = "--ci",
      description = "Without a terminal: check the story, end, print the result as JSON.")
  private boolean ci;

  @Override
  public Integer call() throws IOException, OperatorException {
    // Before anything asks for a logger.
    System.setProperty("logback.configurationFile", "io/lockstep/deploy/demo/logback.xml");
    PrintStream err = System.err;
    boolean terminal = !ci && Boolean.getBoolean("lockstep.terminal");
    Demo demo =
        new Demo(
            ci ? DemoSettings.forCi() : DemoSettings.forTerminal(),
            EmulatedDemoNetwork.twoDomains(),
            new DemoScreen(err, terminal));
    Thread ending = new Thread(demo::close, "demo-ending");
    Runtime.getRuntime().addShutdownHook(ending);
    try {
      demo.tell();
      if (!ci) {
        demo.runOn();
      }
    } catch (Demo.StoryBroken broken) {
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
