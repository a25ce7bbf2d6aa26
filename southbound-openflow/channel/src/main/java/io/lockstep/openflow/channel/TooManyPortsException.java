package io.lockstep.openflow.channel;

/** A switch says that it has more ports than a switch may have: its connection is closed. */
final class TooManyPortsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TooManyPortsException(int most) {
    super("the switch has more than " + most + " ports");
  }
}
