#include "distal/record/report_style.hpp"

namespace distal {

// The palette is Okabe and Ito's, told apart by all kinds of colour vision.
const std::string_view report_style = R"css(
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--fg:#1d2530;--muted:#5d6875;--line:#e1e5ea;--zero:#9aa4b0;
--plane:#dfe5ec;--ground:#c3ccd6;--spring:#27496d;--good:#0b7a53;--warn:#b35c00;--bad:#b3261e;
--c0:#d55e00;--c1:#009e73;--c2:#0072b2;--c3:#cc79a7;--c4:#b8860b;--c5:#56b4e9;--c6:#6b4fa0;--c7:#333b45}
@media(prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1a2028;--fg:#e6eaf0;--muted:#9aa6b4;--line:#2c343f;
--zero:#66717f;--plane:#27303b;--ground:#3a4653;--spring:#a9cdf2;--good:#4cc596;--warn:#f0a44b;--bad:#ff8077;
--c0:#ff8a3d;--c1:#2fc79a;--c2:#5aa9f0;--c3:#e79cc5;--c4:#e3b341;--c5:#56b4e9;--c6:#b49be8;--c7:#c9d1db}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1180px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:28px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:19px;margin:40px 0 12px}
p{margin:6px 0}.muted{color:var(--muted)}
.verdict{display:flex;gap:12px;align-items:baseline;background:var(--card);border:1px solid var(--line);
border-left:5px solid var(--good);border-radius:8px;padding:12px 16px;margin:18px 0}
.verdict.interrupted{border-left-color:var(--warn)}.verdict.failed{border-left-color:var(--bad)}
.verdict b{text-transform:capitalize;white-space:nowrap;color:var(--good)}
.verdict.interrupted b{color:var(--warn)}.verdict.failed b{color:var(--bad)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:10px;margin:16px 0}
.fact{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 14px}
.fact span{display:block;font-size:12px;color:var(--muted)}.fact strong{white-space:nowrap;font-size:18px;font-weight:600}
.grid{display:grid;gap:14px}
.four{grid-template-columns:repeat(auto-fit,minmax(230px,1fr))}.two{grid-template-columns:repeat(auto-fit,minmax(420px,1fr))}
@media(max-width:520px){.two{grid-template-columns:1fr}}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 12px;min-width:0}
figcaption{font-size:13px;font-weight:600;margin:0 0 4px}.four small{display:block}
figcaption small{font-weight:400;color:var(--muted)}
svg{display:block;width:100%;height:auto}svg.map{max-width:460px;margin:0 auto}svg.bar-only{max-width:420px;margin:10px 0 0}
text{font:11px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--fg)}
.tick{fill:var(--muted)}.axis{font-size:12px}.mid{text-anchor:middle}.end{text-anchor:end}.value{font-size:13px;font-weight:600}
line.grid{stroke:var(--line)}line.zero{stroke:var(--zero)}
.l{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}.dash{stroke-dasharray:5 4}
.arrow{stroke-width:2.4;stroke-linecap:round}.bar{stroke:var(--fg);stroke-width:3}.label{fill:var(--card);opacity:.85}
.mesh path{fill:currentColor;stroke:currentColor;stroke-width:.7;stroke-linejoin:round}
.dot{fill:var(--fg)}.plane{fill:var(--plane)}.ground{stroke:var(--ground);stroke-width:.7}
.spring{fill:none;stroke:var(--spring);stroke-width:.8}.d0{opacity:.16}.d1{opacity:.35}.d2{opacity:.85}
.s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}
.s4{stroke:var(--c4)}.s5{stroke:var(--c5)}.s6{stroke:var(--c6)}.s7{stroke:var(--c7)}
.f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}
.f4{fill:var(--c4)}.f5{fill:var(--c5)}.f6{fill:var(--c6)}.f7{fill:var(--c7)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--line);border-radius:8px;font-size:14px}
th,td{padding:6px 12px;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:500;color:var(--muted)}thead th{font-size:12px}tr:last-child>*{border-bottom:0}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
code,pre{font:12.5px/1.45 ui-monospace,"DejaVu Sans Mono",Menlo,monospace}
pre{overflow:auto;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px}
details{margin:14px 0}summary{cursor:pointer;color:var(--muted)}details .grid{margin-top:12px}
.probe line{stroke:var(--fg);stroke-dasharray:2 3}.probe rect{fill:var(--card);stroke:var(--line)}
@media print{body{background:#fff}figure,table{break-inside:avoid}}
)css";

// Moving over a plot shows the nearest value of each line. The page is complete without it.
const std::string_view report_script = R"js(
for(const svg of document.querySelectorAll('svg.plot')){
  const probe=svg.querySelector('.probe');if(!probe)continue;
  const ax=k=>{const[a,b,p,q]=probe.dataset[k].split(',').map(Number);return px=>a+(b-a)*(px-p)/(q-p)};
  const X=ax('x'),Y=ax('y'),[, ,l,r]=probe.dataset.x.split(',').map(Number),[, ,b,t]=probe.dataset.y.split(',').map(Number);
  const lines=[...svg.querySelectorAll('polyline')].map(e=>({name:e.dataset.name,
    p:e.getAttribute('points').trim().split(' ').map(s=>s.split(',').map(Number))}));
  const ns=svg.namespaceURI,add=(n,a,s)=>{const e=document.createElementNS(ns,n);for(const k in a)e.setAttribute(k,a[k]);
    if(s)e.textContent=s;probe.append(e)};
  svg.addEventListener('pointermove',ev=>{
    const box=svg.getBoundingClientRect(),x=(ev.clientX-box.left)*560/box.width;
    probe.replaceChildren();if(x<l||x>r)return;
    const rows=lines.map(o=>{let q=o.p[0];for(const c of o.p)if(Math.abs(c[0]-x)<Math.abs(q[0]-x))q=c;
      return (o.name?o.name+' ':'')+Y(q[1]).toPrecision(4)+' '+probe.dataset.yu});
    rows.unshift(X(x).toPrecision(4)+' '+probe.dataset.xu);
    const w=14+6.3*Math.max(...rows.map(s=>s.length)),at=x+w+10>r?x-w-8:x+8;
    add('line',{x1:x,x2:x,y1:t,y2:b});add('rect',{x:at,y:t+4,width:w,height:8+14*rows.length,rx:4});
    rows.forEach((s,i)=>add('text',{x:at+7,y:t+18+14*i},s))});
  svg.addEventListener('pointerleave',()=>probe.replaceChildren());
}
)js";

}  // namespace distal
