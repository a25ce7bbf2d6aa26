package io.lockstep.deploy.status;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.MemberReport;
import io.lockstep.deploy.admin.SelfReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The members of a cluster that gave no report of their own, as the other members know them. Pure.
 */
final class SilentMembers {

  /** Why a member gave no report. */
  enum Why {
    NOT_ASKED("not asked"),
    NO_ANSWER("no answer"),
    /** More members are silent than endpoints: which one belongs to which member is not known. */
    NOT_ASKED_OR_NO_ANSWER("not asked or no answer");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * A member.
   *
   * @param ready what is known of it, for the column of this name
   * @param published what it published of itself, as the node with the newest view of that has it;
   *     null where no node has any, or it does not take part any more
   */
  record Silent(String id, String host, String ready, Why why, @Nullable MemberReport published) {
    /** Where the row comes from, for the column of its address. */
    String source() {
      return published == null || published.ageMillis() == null
          ? why.toString()
          : "its summary, " + Units.seconds(published.ageMillis()) + " old";
    }

    boolean isLocal() {
      return SilentMembers.isLocal(host);
    }
  }

  private SilentMembers() {}

  /** The members, by id. */
  static List<Silent> of(ClusterStatus status) {
    Map<String, MemberReport> members = new TreeMap<>();
    // The nodes that see the sessions of the store. Others know the members of their files only.
    List<NodeReport> informed = new ArrayList<>();
    for (ClusterStatus.Answer answer : status.answers()) {
      NodeReport report = answer.report();
      report.nodes().forEach(member -> members.putIfAbsent(member.id(), member));
      if (report.quorum() && report.domainVersions() != null) {
        informed.add(report);
      }
    }
    status.answers().forEach(answer -> members.remove(answer.report().node()));
    List<Silent> silent = new ArrayList<>();
    for (MemberReport member : members.values()) {
      boolean isAlive = isAlive(informed, member.id());
      MemberReport published = isAlive ? published(informed, member.id()) : null;
      String ready = informed.isEmpty() ? "unknown" : isAlive ? ready(published) : "no: down";
      Why why = why(status, member, members.size());
      silent.add(new Silent(member.id(), member.host(), ready, why, published));
    }
    return silent;
  }

  private static boolean isAlive(List<NodeReport> informed, String id) {
    return informed.stream()
        .flatMap(report -> report.nodes().stream())
        .anyMatch(member -> member.id().equals(id) && member.alive());
  }

  private static @Nullable MemberReport published(List<NodeReport> informed, String id) {
    return informed.stream()
        .flatMap(report -> report.nodes().stream())
        .filter(member -> member.id().equals(id) && member.self() != null)
        .min(Comparator.comparing(member -> member.ageMillis() == null ? 0 : member.ageMillis()))
        .orElse(null);
  }

  private static String ready(@Nullable MemberReport published) {
    SelfReport self = published == null ? null : published.self();
    if (self == null) {
      return "unknown: alive";
    }
    return self.ready() ? "yes" : "no: " + self.notReadyBecause();
  }

  private static Why why(ClusterStatus status, MemberReport member, int silent) {
    int endpoints = status.unreachable().size();
    if (endpoints > 0) {
      return silent <= endpoints ? Why.NO_ANSWER : Why.NOT_ASKED_OR_NO_ANSWER;
    }
    return status.usualSilent() && isLocal(member.host()) ? Why.NO_ANSWER : Why.NOT_ASKED;
  }

  private static boolean isLocal(String host) {
    return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
  }

  /**
   * What an operator can do about them.
   *
   * @param usualSilent see {@link ClusterStatus#usualSilent}
   */
  static List<String> notes(List<Silent> silent, boolean usualSilent) {
    List<String> notes = new ArrayList<>();
    List<Silent> remote =
        silent.stream()
            .filter(one -> one.why() == Why.NOT_ASKED && !one.isLocal() && one.published() == null)
            .toList();
    if (!remote.isEmpty()) {
      notes.add(
          names(remote)
              + ": not asked. An admin address listens on loopback by default: run ./lockstep"
              + " status on "
              + String.join(", ", hosts(remote))
              + ", or name reachable addresses with -e.");
    }
    List<Silent> local =
        silent.stream()
            .filter(one -> one.why() == Why.NOT_ASKED && one.isLocal() && one.published() == null)
            .toList();
    if (!local.isEmpty()) {
      notes.add(names(local) + ": not asked. Name the admin address with -e as well.");
    }
    List<Silent> unanswered = silent.stream().filter(one -> one.why() == Why.NO_ANSWER).toList();
    if (!unanswered.isEmpty() && usualSilent) {
      notes.add(
          names(unanswered)
              + ": no answer at the usual addresses. Start it, or name its admin address with -e.");
    }
    List<Silent> unclear =
        silent.stream().filter(one -> one.why() == Why.NOT_ASKED_OR_NO_ANSWER).toList();
    if (!unclear.isEmpty()) {
      notes.add(names(unclear) + ": not asked, or at an address without answer (see the end).");
    }
    return notes;
  }

  private static String names(List<Silent> members) {
    return String.join(", ", members.stream().map(Silent::id).toList());
  }

  private static Collection<String> hosts(List<Silent> members) {
    return new LinkedHashSet<>(members.stream().map(Silent::host).toList());
  }
}
