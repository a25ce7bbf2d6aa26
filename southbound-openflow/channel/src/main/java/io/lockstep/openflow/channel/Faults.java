package io.lockstep.openflow.channel;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.codec.MalformedMessageException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;

/** Turns what went wrong on a connection into the reason it is closed for. */
final class Faults {
  private Faults() {}

  /** Closes the connection because of what its pipeline threw. */
  static void close(Peer peer, Throwable fault) {
    if (fault instanceof MalformedMessageException || fault instanceof TooManyPortsException) {
      peer.close(Severity.WARN, message(fault));
    } else if (fault instanceof ClosedChannelException) {
      peer.close(Severity.INFO, "the connection is closed");
    } else if (fault instanceof IOException) {
      peer.close(Severity.INFO, "connection failed: " + message(fault));
    } else {
      peer.close(Severity.WARN, "fault in the channel: " + fault, fault);
    }
  }

  private static String message(Throwable fault) {
    String text = fault.getMessage();
    return text == null ? fault.getClass().getSimpleName() : text;
  }
}
