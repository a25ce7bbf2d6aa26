package io.lockstep.deploy.cli.list;

/** What the help of all lists says. */
final class ListHelp {
  static final String ASKED =
      "Asks the first node that answers; without -e and --config 127.0.0.1:8181, :8182\n"
          + "and :8183. Exit codes: 0 shown, 1 no node answers, 2 wrong usage.";

  private ListHelp() {}
}
