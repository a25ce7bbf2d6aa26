package io.lockstep.deploy.manual;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;

/**
 * The man pages of the product: one for it, one for each command, and one for the configuration
 * file. Any thread.
 */
public final class Manual {
  /** The parts of docs/OPERATING.md that pages repeat. */
  private static final String FILE_FORMAT = "The configuration file";

  private static final String DATAPATH_IDS = "Datapath ids";
  private static final String EXIT_CODES = "Exit codes";

  private static final Map<String, String> ENVIRONMENT =
      new TreeMap<>(
          Map.of(
              "LOCKSTEP_AT", "Nodes that commands ask: https://HOST:PORT, separated by commas.",
              "LOCKSTEP_KEYS", "The directory with the keys of the person who asks.",
              "LOCKSTEP_TOKEN", "A token of a user, in place of a certificate or before it.",
              "LOCKSTEP_JAVA", "The java program that runs it, before all others.",
              "JAVA_HOME", "Its bin/java runs it; else the java in PATH does.",
              "LOCKSTEP_JVM_FLAGS",
                  "Replaces the flags of the virtual machine of lockstep node and lockstep"
                      + " replica."));

  private static final Map<String, String> FILES =
      new TreeMap<>(
          Map.of(
              "/etc/lockstep/node.yaml", "The configuration of the service lockstep.",
              "/etc/default/lockstep", "The environment of the service lockstep.",
              "/var/lib/lockstep", "What the replica of the service keeps.",
              "/usr/share/doc/lockstep", "Documents and examples."));

  private final CommandLine line;
  private final List<String> operating;
  private final List<String> example;
  private final RoffPage.Edition edition;

  /**
   * The manual of one version.
   *
   * @param line the command line with all its commands
   * @param operating the lines of docs/OPERATING.md
   * @param example the lines of a configuration file
   * @param date of the content, such as 2026-11-20
   * @param version of the product
   */
  public Manual(
      CommandLine line, List<String> operating, List<String> example, String date, String version) {
    this.line = line;
    this.operating = List.copyOf(operating);
    this.example = List.copyOf(example);
    this.edition = new RoffPage.Edition(date, "lockstep " + version);
  }

  /**
   * The pages under their files' names, such as {@code lockstep-node.1}.
   *
   * @throws IllegalArgumentException where the document lacks a part that a page repeats
   */
  public Map<String, String> pages() {
    Map<String, String> pages = new TreeMap<>();
    pages.put("lockstep.1", root());
    pages.put("lockstep.yaml.5", configuration());
    for (CommandLine command : CommandPage.visible(line)) {
      pages.put(CommandPage.name(command) + ".1", CommandPage.of(command, edition));
    }
    return pages;
  }

  private String root() {
    RoffPage page = new RoffPage("lockstep", 1, edition);
    page.section("name")
        .roff("lockstep \\- a cluster of SDN controllers on one linearizable store");
    page.section("synopsis")
        .roff("\\fBlockstep\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]");
    page.section("description")
        .roff(
            RoffPage.escaped(
                "A cluster of controllers for OpenFlow 1.3 and 1.0 switches. Each machine runs one"
                    + " node from its configuration file; the other commands ask running nodes, or"
                    + " work on files."));
    page.section("commands");
    StringBuilder also = new StringBuilder("\\fBlockstep.yaml\\fR(5)");
    for (CommandLine command : CommandPage.visible(line)) {
      String reference = RoffPage.bold(CommandPage.name(command)) + "(1)";
      page.item(reference, RoffPage.escaped(CommandPage.summary(command) + "."));
      also.append(", ").append(reference);
    }
    page.item("\\fBlockstep version\\fR", "Prints the version.");
    page.item(
        "\\fBlockstep help\\fR [\\fICOMMAND\\fR]", "Lists the commands, or shows how one is used.");
    page.section("environment");
    ENVIRONMENT.forEach(
        (name, meaning) -> page.item(RoffPage.bold(name), RoffPage.escaped(meaning)));
    page.section("files");
    FILES.forEach((name, meaning) -> page.item(RoffPage.bold(name), RoffPage.escaped(meaning)));
    page.section("exit status");
    MarkdownPart.of(operating, EXIT_CODES).writeTo(page);
    page.section("see also").roff(also.toString());
    return page.text();
  }

  private String configuration() {
    RoffPage page = new RoffPage("lockstep.yaml", 5, edition);
    page.section("name").roff("lockstep.yaml \\- configuration of a Lockstep node or replica");
    page.section("description");
    MarkdownPart.of(operating, FILE_FORMAT).writeTo(page);
    page.section(DATAPATH_IDS);
    MarkdownPart.of(operating, DATAPATH_IDS).writeTo(page);
    page.section("examples").verbatim(example);
    page.section("see also").roff("\\fBlockstep\\fR(1), \\fBlockstep\\-node\\fR(1)");
    return page.text();
  }
}
