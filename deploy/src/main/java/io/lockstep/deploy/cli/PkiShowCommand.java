package io.lockstep.deploy.cli;

import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.TextTable;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.pki.IssuedCertificate;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep pki show}: what an authority has issued. */
@Command(
    name = "show",
    description = "Lists the certificates that the authority has issued.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class PkiShowCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private PkiCommand.Place place = new PkiCommand.Place();
  @Mixin private OutputMixin output = new OutputMixin();

  /** All, for JSON; times are ISO 8601 in UTC. */
  record Shown(int schema, String cluster, String authorityUntil, List<ShownCertificate> issued) {}

  /** One certificate. */
  record ShownCertificate(
      String role,
      String name,
      List<String> dpids,
      String number,
      String from,
      String until,
      String state,
      @Nullable String revokedAt) {}

  @Override
  public Integer call() throws OperatorException, IOException {
    Instant now = Instant.now();
    Shown shown =
        place.with(
            authority ->
                new Shown(
                    1,
                    authority.cluster(),
                    authority.notAfter().toString(),
                    authority.certificates().stream().map(one -> shown(one, now)).toList()));
    output.print(spec, shown, lines(shown, now));
    return ExitCode.DONE;
  }

  private static ShownCertificate shown(IssuedCertificate one, Instant now) {
    PeerIdentity owner = one.owner();
    Instant revokedAt = one.revokedAt();
    return new ShownCertificate(
        owner.role().word(),
        owner.name(),
        owner.dpids().stream().map(dpid -> String.format(Locale.ROOT, "%016x", dpid)).toList(),
        owner.serialText(),
        owner.notBefore().toString(),
        owner.notAfter().toString(),
        one.state(now),
        revokedAt == null ? null : revokedAt.toString());
  }

  private static List<String> lines(Shown shown, Instant now) {
    TextTable table = new TextTable("ROLE", "NAME", "STATE", "UNTIL", "DAYS", "NUMBER", "DPIDS");
    for (ShownCertificate one : shown.issued()) {
      table.row(
          one.role(),
          one.name(),
          one.state(),
          one.until(),
          Math.max(0, ChronoUnit.DAYS.between(now, Instant.parse(one.until()))),
          one.number(),
          String.join(" ", one.dpids()));
    }
    List<String> lines = new ArrayList<>();
    lines.add("authority of cluster " + shown.cluster() + " until " + shown.authorityUntil());
    lines.addAll(table.lines());
    return lines;
  }
}
