WARC/1.0
WARC-Type: warcinfo
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/warc-fields
Content-Length: 55

Software-Info: make-wat
format: WARC File Format 1.0


WARC/1.0
WARC-Type: metadata
WARC-Target-URI: https://www.example.com/dir/page?q#top
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 425

{"Container":{"Filename":"example.warc.gz","Compressed":true,"Offset":"839"},"Envelope":{"Payload-Metadata":{"HTTP-Request-Metadata":{"Request-Message":{"Method":"GET","Path":"/","Version":"HTTP/1.1"},"Headers":{"Host":"example.com"}}},"Format":"WARC/1.0","WARC-Header-Length":"626","WARC-Header-Metadata":{"WARC-Type":"request","WARC-Date":"2026-02-03T04:05:06Z","WARC-Target-URI":"https://www.example.com/dir/page?q#top"}}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: https://www.example.com/dir/page?q#top
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 1249

{"Container":{"Filename":"example.warc.gz","Compressed":true,"Offset":"839"},"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200","Version":"HTTP/1.1","Reason":"OK"},"Headers":{"Content-Type":"text/html; charset=utf-8","Link":"<https://h.example/\">; rel=\"no link\""},"HTML-Metadata":{"Head":{"Metas":[{"name":"description","content":"url"},{"property":"og:url","content":"https://a.example/"}],"Title":"Links {\"url\":\"x\"}","Link":[{"path":"LINK@/href","url":"/style.css","rel":"stylesheet","type":"text/css"}],"Scripts":[{"path":"SCRIPT@/src","url":"//cdn.example/s.js"}]},"Links":[{"path":"A@/href","url":"../up","text":"an \u00e9, a \" and a \\"},{"path":"IMG@/src","url":"logo.png?a=1&b=2","alt":"logo"},{"path":"FORM@/action","url":"https://www.example.com/Annual Report.pdf","method":"post"},{"path":"STYLE/#text","href":"img/b.png"},{"path":"A@/href","url":" /spaces "},{"path":"A@/href","url":"#top"},{"path":"A@/href","url":"javascript:alert(\"x\")"},{"path":"A@/href","url":""}]},"Entity-Length":"1234"}},"Format":"WARC/1.0","WARC-Header-Length":"626","WARC-Header-Metadata":{"WARC-Type":"response","WARC-Date":"2026-02-03T04:05:06Z","WARC-Target-URI":"https://www.example.com/dir/page?q#top"}}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 404

{"Container":{"Filename":"example.warc.gz","Compressed":true,"Offset":"839"},"Envelope":{"Payload-Metadata":{"HTTP-Request-Metadata":{"Request-Message":{"Method":"GET","Path":"/","Version":"HTTP/1.1"},"Headers":{"Host":"example.com"}}},"Format":"WARC/1.0","WARC-Header-Length":"626","WARC-Header-Metadata":{"WARC-Type":"request","WARC-Date":"2026-02-03T04:05:06Z","WARC-Target-URI":"http://h.example/"}}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 630

{"Container":{"Filename":"example.warc.gz","Compressed":true,"Offset":"839"},"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200","Version":"HTTP/1.1","Reason":"OK"},"Headers":{"Content-Type":"text/html; charset=utf-8","Link":"<https://h.example/\">; rel=\"no link\""},"HTML-Metadata":{"Links":[{"path":"A@/href","url":"x"},{"path":"BODY@/background","url":"/y"}],"Head":{"Base":" /base/dir/ "}},"Entity-Length":"1234"}},"Format":"WARC/1.0","WARC-Header-Length":"626","WARC-Header-Metadata":{"WARC-Type":"response","WARC-Date":"2026-02-03T04:05:06Z","WARC-Target-URI":"http://h.example/"}}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/bad-base
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 595

{"Container":{"Filename":"example.warc.gz","Compressed":true,"Offset":"839"},"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200","Version":"HTTP/1.1","Reason":"OK"},"Headers":{"Content-Type":"text/html; charset=utf-8","Link":"<https://h.example/\">; rel=\"no link\""},"HTML-Metadata":{"Head":{"Base":"http://["},"Links":[{"path":"A@/href","url":"z"}]},"Entity-Length":"1234"}},"Format":"WARC/1.0","WARC-Header-Length":"626","WARC-Header-Metadata":{"WARC-Type":"response","WARC-Date":"2026-02-03T04:05:06Z","WARC-Target-URI":"http://h.example/bad-base"}}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: https://www.example.com/logo.png
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 503

{"Container":{"Filename":"example.warc.gz","Compressed":true,"Offset":"839"},"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200","Version":"HTTP/1.1","Reason":"OK"},"Headers":{"Content-Type":"image/png","Link":"<https://h.example/\">; rel=\"no link\""},"Entity-Length":"1234"}},"Format":"WARC/1.0","WARC-Header-Length":"626","WARC-Header-Metadata":{"WARC-Type":"response","WARC-Date":"2026-02-03T04:05:06Z","WARC-Target-URI":"https://www.example.com/logo.png"}}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: https://www.example.com/nothing
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 536

{"Container":{"Filename":"example.warc.gz","Compressed":true,"Offset":"839"},"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200","Version":"HTTP/1.1","Reason":"OK"},"Headers":{"Content-Type":"text/html; charset=utf-8","Link":"<https://h.example/\">; rel=\"no link\""},"HTML-Metadata":{},"Entity-Length":"1234"}},"Format":"WARC/1.0","WARC-Header-Length":"626","WARC-Header-Metadata":{"WARC-Type":"response","WARC-Date":"2026-02-03T04:05:06Z","WARC-Target-URI":"https://www.example.com/nothing"}}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: <http://h.example/brackets>
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 291

{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":
 {"Links" : [ {"url":"https:\/\/h.example\/d\u00e9","path":"A@\/href"},
	{"url":"b%zz"}, {"path":"A@/href"}, {"path":"A@/href","url":null}, {"path":"A@/href","url":7}, {"path":"A@/href","url":"\ud800"}, 7 ] } }}}}


WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/no-envelope
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 16

{"Container":{}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/list
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 3

[1]

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/cut
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 150

{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":
 {"Links" : [ {"url":"https:\/\/h.example\/d\u00e9","path":"A@\/href"},
	

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/more
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 30

{"Envelope":{}}{"Envelope":{}}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/warc-fields
Content-Length: 17

fetchTimeMs: 42


no record
WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: many

{}

WARC/1.0
WARC-Type: metadata
WARC-Target-URI: http://h.example/last
WARC-Date: 2026-02-03T04:05:06Z
Content-Type: application/json
Content-Length: 568

{"Container":{"Filename":"example.warc.gz","Compressed":true,"Offset":"839"},"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200","Version":"HTTP/1.1","Reason":"OK"},"Headers":{"Content-Type":"text/html; charset=utf-8","Link":"<https://h.example/\">; rel=\"no link\""},"HTML-Metadata":{"Links":[{"path":"A@/href","url":"/last"}]},"Entity-Length":"1234"}},"Format":"WARC/1.0","WARC-Header-Length":"626","WARC-Header-Metadata":{"WARC-Type":"response","WARC-Date":"2026-02-03T04:05:06Z","WARC-Target-URI":"http://h.example/last"}}}