package io.lockstep.bench.variant;

import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.node.RunningNode;
import io.lockstep.deploy.process.OperatorException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * A node that runs applications in one variant: {@code APPLICATION,... VARIANT CONFIG ALONE}, the
 * first two as the enums name them, the last {@code true} or {@code false}. Ends when its standard
 * input does. All nodes of a cluster must be started like this: their replicas need the same
 * components.
 */
public final class VariantNodeMain {
  private VariantNodeMain() {}

  /** Runs the node. */
  public static void main(String[] arguments)
      throws ConfigException, OperatorException, IOException {
    VariantNode node =
        new VariantNode(
            Arrays.stream(arguments[0].split(","))
                .map(TracedApplication::valueOf)
                .collect(Collectors.toUnmodifiableSet()),
            Variant.valueOf(arguments[1]),
            Boolean.parseBoolean(arguments[3]));
    NodeSettings settings =
        SettingsReader.read(Path.of(arguments[2]), SettingsReader.Role.NODE, node.catalog());
    try (RunningNode running = RunningNode.start(settings, node.additions())) {
      while (System.in.read() >= 0) {
        // Until the parent is gone.
      }
      LoggerFactory.getLogger(VariantNodeMain.class).info("{} ends", running);
    }
    System.exit(0);
  }
}
