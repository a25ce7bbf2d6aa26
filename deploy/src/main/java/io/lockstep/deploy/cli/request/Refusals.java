package io.lockstep.deploy.cli.request;

import io.lockstep.core.app.ResourceDescription;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What a command says where a node refuses a request for a resource. */
public final class Refusals {
  /** The status where an item is not there. */
  public static final int MISSING = 404;

  private Refusals() {}

  /** Prints the error and its remedy; gives the exit code. */
  public static int report(CommandSpec spec, JsonAnswer answer) {
    String remedy = answer.body().path("remedy").asText("");
    spec.commandLine()
        .getErr()
        .println(
            "lockstep: "
                + RemoteResources.error(answer)
                + (remedy.isEmpty() ? "" : "\n    remedy: " + remedy));
    return switch (answer.status()) {
      case 412 -> ExitCode.OUTDATED;
      case 400, 422 -> ExitCode.USAGE;
      default -> ExitCode.FAILED;
    };
  }

  /** An id that can stand in a path. */
  public static String segment(CommandSpec spec, String id) {
    if (!id.matches(ResourceDescription.ID)) {
      throw new ParameterException(spec.commandLine(), "'" + id + "' is no name");
    }
    return id;
  }
}
