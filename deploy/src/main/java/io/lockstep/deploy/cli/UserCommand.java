package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.core.access.Role;
import io.lockstep.core.access.Token;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.ResourcesText;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep user}: who may operate the cluster. */
@Command(
    name = "user",
    description = "Shows and changes who may operate the cluster, and prints new tokens.",
    mixinStandardHelpOptions = true,
    subcommands = {
      UserCommand.Add.class,
      UserCommand.Renew.class,
      UserCommand.ChangeRole.class,
      UserCommand.Remove.class,
      UserCommand.ListAll.class
    },
    footer = {
      "",
      "A token goes into the header Authorization: Bearer TOKEN, or is the password of Basic",
      "authentication. It is printed once; the cluster keeps only its digest.",
      ResourceCommand.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class UserCommand implements Callable<Integer> {
  private static final String ROLES = "read, operate or admin: each includes those before it.";
  private static final String USERS = "users";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "user: give add, renew, role, remove or list");
  }

  /** What all of them have. */
  abstract static class OfOne implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the user.")
    String name;

    @Mixin EndpointsMixin nodes = new EndpointsMixin();

    RemoteResources cluster() throws OperatorException {
      return RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
    }

    String path() {
      return USERS + "/" + Refusals.segment(spec, name);
    }

    Role role(String text) {
      return Role.of(text)
          .orElseThrow(
              () -> new ParameterException(spec.commandLine(), "'" + text + "': give " + ROLES));
    }

    Token token() {
      try {
        return Token.generate(name, new SecureRandom());
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
      }
    }

    /** Writes a token that its user gets, once the cluster has its digest. */
    int given(JsonAnswer said, Token token) {
      if (said.status() >= 300) {
        return Refusals.report(spec, said);
      }
      spec.commandLine().getErr().println("lockstep: keep this token; it is not shown again:");
      spec.commandLine().getErr().flush();
      return say(token.text());
    }

    int say(String line) {
      spec.commandLine().getOut().println(line);
      spec.commandLine().getOut().flush();
      return ExitCode.DONE;
    }

    static Map<String, Object> fields(String role, Token token) {
      return Map.of("role", role, "digest", HexFormat.of().formatHex(token.digest().toArray()));
    }
  }

  /** {@code lockstep user add}. */
  @Command(
      name = "add",
      description = "Adds a user and prints the token.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Add extends OfOne {
    @Option(names = "--role", required = true, paramLabel = "ROLE", description = ROLES)
    private String role;

    @Override
    public Integer call() throws OperatorException {
      Role wanted = role(role);
      Token token = token();
      return given(cluster().add(path(), fields(wanted.text(), token)), token);
    }
  }

  /** {@code lockstep user renew}. */
  @Command(
      name = "renew",
      description = "Replaces a user's token and prints the new one; the old one ends at once.",
      mixinStandardHelpOptions = true)
  static final class Renew extends OfOne {
    @Override
    public Integer call() throws OperatorException {
      Token token = token();
      RemoteResources cluster = cluster();
      JsonAnswer now = cluster.read(path());
      if (now.status() != 200) {
        return Refusals.report(spec, now);
      }
      JsonNode user = now.body();
      return given(
          cluster.set(
              path(), user.path("version").asLong(), fields(user.path("role").asText(), token)),
          token);
    }
  }

  /** {@code lockstep user role}. */
  @Command(
      name = "role",
      description = "Gives a user another role; the token stays.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class ChangeRole extends OfOne {
    @Parameters(index = "1", paramLabel = "ROLE", description = ROLES)
    private String role;

    @Override
    public Integer call() throws OperatorException {
      Role wanted = role(role);
      RemoteResources cluster = cluster();
      JsonAnswer now = cluster.read(path());
      JsonAnswer said =
          now.status() == 200
              ? cluster.set(
                  path(), now.body().path("version").asLong(), Map.of("role", wanted.text()))
              : now;
      return said.status() >= 300
          ? Refusals.report(spec, said)
          : say(name + " has the role " + wanted.text());
    }
  }

  /** {@code lockstep user remove}. */
  @Command(
      name = "remove",
      description = "Removes a user; the token ends at once.",
      mixinStandardHelpOptions = true)
  static final class Remove extends OfOne {
    @Override
    public Integer call() throws OperatorException {
      RemoteResources cluster = cluster();
      JsonAnswer now = cluster.read(path());
      JsonAnswer said =
          now.status() == 200 ? cluster.remove(path(), now.body().path("version").asLong()) : now;
      return said.status() >= 300 ? Refusals.report(spec, said) : say(name + " is removed");
    }
  }

  /** {@code lockstep user list}. */
  @Command(
      name = "list",
      description = "Lists the users with their roles.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class ListAll implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      JsonAnswer said = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis()).read(USERS);
      if (said.status() != 200) {
        return Refusals.report(spec, said);
      }
      output.print(spec, said.body(), ResourcesText.items(said.body().path("items")));
      return ExitCode.DONE;
    }
  }
}
