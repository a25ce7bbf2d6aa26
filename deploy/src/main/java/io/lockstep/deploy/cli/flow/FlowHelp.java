package io.lockstep.deploy.cli.flow;

/** What the help of these commands says. */
final class FlowHelp {
  static final String ASKED =
      """
      Asks the first node that answers; without -e and --config 127.0.0.1:8181, :8182
      and :8183. Exit codes: 0 done, 1 refused, failed or no node answers, 2 wrong
      usage or a wrong value, 5 changed by others meanwhile.""";

  private FlowHelp() {}
}
