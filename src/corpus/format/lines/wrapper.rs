//! The names of [wrappers](crate::corpus::format::wrappers).

use crate::names::named_enum;

named_enum! {
    /// The text that another program adds to each line of a log.
    #[non_exhaustive]
    Wrapper {
        /// A prefix of syslog: RFC 5424, RFC 3164, and RFC 3164 with a time of ISO 8601.
        Syslog = "syslog",
        /// The prefix of Kubernetes' container runtimes: time, stream and `F`, or `P` for a part of a line.
        Cri = "cri",
        /// Docker's json-file: the line is the string of `log`.
        Docker = "docker",
        /// The journal of systemd as JSON: the line is the string of `MESSAGE`.
        Journald = "journald",
        /// The prefix of `kubectl logs --prefix` or stern, and a time after it if the line has one.
        Kubernetes = "kubernetes",
        /// The prefix of `docker compose logs`: the container and `|`, and a time after it if the line has
        /// one.
        Compose = "compose",
        /// A time of ISO 8601, for example of `docker logs --timestamps`.
        Timestamps = "timestamps",
    }
}

impl Wrapper {
    /// Returns one line about the wrapper.
    pub fn about(self) -> &'static str {
        match self {
            Wrapper::Syslog => "lines with a syslog prefix (RFC 3164, RFC 5424)",
            Wrapper::Cri => "lines of Kubernetes' container runtimes (CRI)",
            Wrapper::Docker => "lines in the JSON objects of Docker's json-file",
            Wrapper::Journald => "lines in the JSON objects of journalctl -o json",
            Wrapper::Kubernetes => "lines of kubectl logs --prefix, and of stern",
            Wrapper::Compose => "lines of docker compose logs",
            Wrapper::Timestamps => "lines after a time, for example of docker logs --timestamps",
        }
    }
}
